import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { resendVerification } from '../../api/account.ts'
import { registeredDraft, registeredEmail, registrationQuery } from '../../api/sign-up.ts'
import { wishedDomain } from '../../api/wish.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { go, hashOf } from '../../routes.ts'
import { ResendOutcome } from '../resend-verification/ResendOutcome.tsx'

/** Goes on to the sign-in when the address is verified, also when that happens on another device. */
function useVerification(): void {
  const { data: isVerified } = useQuery(registrationQuery)
  useEffect(() => {
    if (isVerified !== true) return
    notify({ kind: 'success', text: 'Email Verified! You can sign in now.' })
    go(hashOf('login'), { replace: true })
  }, [isVerified])
}

export default function RegistrationSuccessScreen() {
  const email = registeredEmail()
  const wish = wishedDomain()
  useVerification()
  return (
    <CardPage>
      <ScreenTitle title="Check Your Email" />
      <div className="card-page-text">
        <p>
          We sent a mail to <strong>{email ?? 'your email address'}</strong>. Open its link within
          24 hours to verify the address. This page continues by itself when you have.
        </p>
        <p className="muted">No mail? It can take a minute. Look in your spam folder, too.</p>
        {registeredDraft() !== undefined && (
          <p>
            Wrong address? <a href={hashOf('register', { correct: '1' })}>Correct it</a>
          </p>
        )}
        {wish !== undefined && (
          <p>
            After you sign in, you can add <strong>{wish}</strong>.
          </p>
        )}
      </div>
      <div className="card-page-actions">
        {email === undefined ? (
          <Button variant="outlined" fullWidth href={hashOf('resend-verification')}>
            Resend Verification Email
          </Button>
        ) : (
          <ResendTo email={email} />
        )}
        <Button variant="contained" size="large" fullWidth href={hashOf('login')}>
          Go to Login
        </Button>
      </div>
    </CardPage>
  )
}

/** Sends the link to the registered address again. */
function ResendTo({ email }: { readonly email: string }) {
  const { mutate, data, error, isPending } = useWrite({ mutationFn: resendVerification })
  const { waitSeconds, labelOf } = useHold(error)
  const isHeld = isPending || data !== undefined || waitSeconds > 0
  return (
    <>
      <ResendOutcome text={data} error={error} />
      <Button
        variant="outlined"
        fullWidth
        aria-disabled={isHeld}
        onClick={() => isHeld || mutate(email)}
      >
        {isPending
          ? 'Sending...'
          : data === undefined
            ? labelOf('Resend Verification Email')
            : 'Email Sent'}
      </Button>
    </>
  )
}
