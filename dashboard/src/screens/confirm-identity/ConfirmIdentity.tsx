import { lazy, Suspense } from 'react'
import { useConfirmationQuestion } from '../../api/confirmation.ts'

const ConfirmIdentityDialog = lazy(() => import('./ConfirmIdentityDialog.tsx'))

/** A dialog over every screen, shown while a call waits for the user to confirm their identity. */
export function ConfirmIdentity() {
  const question = useConfirmationQuestion()
  if (question === undefined) return null
  return (
    <Suspense>
      <ConfirmIdentityDialog onAnswer={question.answer} />
    </Suspense>
  )
}
