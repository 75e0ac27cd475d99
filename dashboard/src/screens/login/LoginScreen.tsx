import { useState } from 'react'
import { type SessionEnd, useSession } from '../../api/session.ts'
import type { SecondFactorWish } from '../../api/sign-in.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { Message } from '../../components/Message.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { hashOf } from '../../routes.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import type { SignInFailure } from './sign-in-failure.ts'
import './login.css'

/** Why the user is signed out. */
function endedText(ended: SessionEnd): string {
  if (ended === 'expired') {
    return 'Your session has ended. Sign in again to return to the same page.'
  }
  if (ended === 'logged-out') return 'You are signed out.'
  const due = new Date(ended.deletionDueAt).toLocaleString()
  return `You are signed out. Your account will be deleted on ${due}. To keep it, sign in before then.`
}

export function LoginScreen() {
  const { ended } = useSession()
  const [wish, setWish] = useState<SecondFactorWish>()
  const [username, setUsername] = useState('')
  const [failure, setFailure] = useState<SignInFailure>()
  return (
    <CardPage link={null}>
      {wish === undefined ? (
        <>
          <ScreenTitle title="Sign in" takesFocus={false} />
          {ended && <Message tone="info">{endedText(ended)}</Message>}
          <PasswordForm
            initialUsername={username}
            initialFailure={failure}
            onSecondFactor={(next, typed) => {
              setUsername(typed)
              setWish(next)
            }}
          />
          <p>
            No account yet? <a href={hashOf('register')}>Sign Up</a>
          </p>
        </>
      ) : (
        <>
          <ScreenTitle title="Second factor" takesFocus={false} />
          <SecondFactorForm
            wish={wish}
            onStartAgain={(why) => {
              setFailure(why)
              setWish(undefined)
            }}
          />
        </>
      )}
    </CardPage>
  )
}
