import Button from '@mui/material/Button'
import { forgotPassword } from '../../api/mail-links.ts'
import { ApiProblem, textOf } from '../../api/problem.ts'
import { CardPage, type PageLink } from '../../components/CardPage.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Outcome } from '../../components/Outcome.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { hashOf, type ScreenProps } from '../../routes.ts'
import { EmailForm } from '../email-form/EmailForm.tsx'
import { useAccountLink } from '../frame/use-account-link.ts'

const LABELS = { idle: 'Send Reset Link', busy: 'Sending...', done: 'Email Sent' }

/** Shown when the user comes from a mail that reports a sign-in or a change. */
const NOT_ME =
  'If the sign-in or the change that our mail reported was not yours, set a new password. This signs out everybody, and you can also revoke all keys of the account.'

export default function ForgotPasswordScreen({ place }: ScreenProps) {
  const request = useWrite({ mutationFn: forgotPassword })
  const link = useAccountLink()
  if (request.isSuccess) return <Sent email={request.variables} link={link} />
  const isNotMe = new URLSearchParams(place.query).get('why') === 'not-me'
  const { error } = request
  return (
    <CardPage link={link}>
      <ScreenTitle title={isNotMe ? 'This was not me' : 'Forgot password'} takesFocus={false} />
      <p>{isNotMe ? NOT_ME : 'We mail you a link with which you can set a new password.'}</p>
      <EmailForm labels={LABELS} request={request}>
        {error && (
          <Failure
            error={error}
            text={textOf(error, 'Failed to send reset email. Please try again.')}
            tone={error instanceof ApiProblem && error.status === 429 ? 'warn' : 'error'}
            hasTimer={false}
          />
        )}
      </EmailForm>
      <p>
        Remember your password? <a href={hashOf('login')}>Sign In</a>
      </p>
    </CardPage>
  )
}

interface SentProps {
  readonly email: string
  readonly link: PageLink
}

function Sent({ email, link }: SentProps) {
  return (
    <CardPage link={link}>
      <Outcome isGood title="Check Your Email" />
      <div className="card-page-text">
        <p>
          If an account exists for <strong>{email}</strong>, we have sent instructions to reset its
          password. The link expires in 1 hour.
        </p>
        <p className="muted">No mail? Look in your spam folder, and check the address.</p>
      </div>
      <div className="card-page-actions">
        <Button variant="contained" size="large" fullWidth href={hashOf('login')}>
          Back to Login
        </Button>
      </div>
    </CardPage>
  )
}
