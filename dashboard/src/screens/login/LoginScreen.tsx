import { useState } from 'react'
import { type SessionEnd, useSession } from '../../api/session.ts'
import type { SecondFactorWish } from '../../api/sign-in.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { Message } from '../../components/Message.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import type { SignInFailure } from './sign-in-failure.ts'
import './login.css'

const ENDED: Readonly<Record<SessionEnd, string>> = {
  expired: 'Your session has ended. Sign in again to return to the same page.',
  'logged-out': 'You are signed out.',
}

export function LoginScreen() {
  const { ended } = useSession()
  const [wish, setWish] = useState<SecondFactorWish>()
  const [failure, setFailure] = useState<SignInFailure>()
  return (
    <CardPage>
      {wish === undefined ? (
        <>
          <ScreenTitle title="Sign in" takesFocus={false} />
          {ended && <Message tone="info">{ENDED[ended]}</Message>}
          <PasswordForm initialFailure={failure} onSecondFactor={setWish} />
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
