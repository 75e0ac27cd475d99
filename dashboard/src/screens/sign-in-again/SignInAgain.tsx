import { lazy, Suspense } from 'react'
import { useSession } from '../../api/session.ts'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'

const SignInAgainDialog = lazy(() => import('./SignInAgainDialog.tsx'))

/** A dialog over every screen, shown after the session of its user has ended. The screen stays as it is. */
export function SignInAgain() {
  const { user, isExpired = false } = useSession()
  if (user === undefined || !isExpired) return null
  return (
    <LoadBoundary>
      <Suspense>
        <SignInAgainDialog username={user.username} />
      </Suspense>
    </LoadBoundary>
  )
}
