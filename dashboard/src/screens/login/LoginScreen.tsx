import { timeText } from '@homing/theme/formats'
import { useEffect } from 'react'
import { type SessionEnd, useSession } from '../../api/session.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { useWritten } from '../../components/use-written.ts'
import { reportReady } from '../../app-ready.ts'
import { hashOf } from '../../routes.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { useSignInSteps } from './use-sign-in-steps.ts'

const NO_COOKIES =
  'Your browser blocks cookies. Allow cookies for this site: the session is a cookie.'

/** Why the user is signed out. */
function endedText(ended: SessionEnd): string {
  if (ended === 'expired') {
    return 'Your session has ended. Sign in again to return to the same page.'
  }
  if (ended === 'not-kept') {
    return 'Your browser did not keep the cookie of the session. Allow cookies for this site, then sign in again.'
  }
  if (ended === 'logged-out') return 'You are signed out.'
  const due = timeText(ended.deletionDueAt)
  return `You are signed out. Your account will be deleted on ${due}. To keep it, sign in before then.`
}

export function LoginScreen() {
  const { ended } = useSession()
  const isWritten = useWritten()
  const { wish, username, failure, requireSecondFactor, startAgain } = useSignInSteps()
  useEffect(reportReady, [])
  return (
    <CardPage link={null}>
      {wish === undefined ? (
        <>
          <ScreenTitle title="Sign in" takesFocus={false} />
          {(isWritten || ended) && (
            <div className={isWritten ? 'only-after-session' : undefined}>
              <Message tone="info">{endedText(ended ?? 'expired')}</Message>
            </div>
          )}
          {!isWritten && !navigator.cookieEnabled && (
            <Message tone="warn">
              <p>{NO_COOKIES}</p>
            </Message>
          )}
          <PasswordForm
            initialUsername={username}
            initialFailure={failure}
            onSecondFactor={requireSecondFactor}
          />
          <p>
            No account yet? <a href={hashOf('register')}>Sign Up</a>
          </p>
        </>
      ) : (
        <>
          <ScreenTitle title="Second factor" takesFocus={false} />
          <SecondFactorForm wish={wish} onStartAgain={startAgain} />
        </>
      )}
    </CardPage>
  )
}
