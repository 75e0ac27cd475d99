import { lazy, Suspense } from 'react'
import { useConfirmationQuestion } from '../../api/confirmation.ts'

const ConfirmIdentityDialog = lazy(() => import('./ConfirmIdentityDialog.tsx'))

/** Stands over every screen: shown while a call waits for a fresh proof of who the person is. */
export function ConfirmIdentity() {
  const question = useConfirmationQuestion()
  if (question === undefined) return null
  return (
    <Suspense>
      <ConfirmIdentityDialog onAnswer={question.answer} />
    </Suspense>
  )
}
