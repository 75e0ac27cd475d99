import { resendVerification } from '../../api/account.ts'
import { registeredEmail } from '../../api/sign-up.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { hashOf } from '../../routes.ts'
import { EmailForm } from '../email-form/EmailForm.tsx'
import { ResendOutcome } from './ResendOutcome.tsx'

const LABELS = { idle: 'Send Verification Email', busy: 'Sending...', done: 'Email Sent' }

export default function ResendVerificationScreen() {
  const request = useWrite({ mutationFn: resendVerification })
  return (
    <CardPage>
      <ScreenTitle title="Resend verification email" takesFocus={false} />
      <p>
        Enter the address with which you signed up. We send a new link; the old one stops working.
      </p>
      <EmailForm initialEmail={registeredEmail()} labels={LABELS} request={request}>
        <ResendOutcome text={request.data} error={request.error} />
      </EmailForm>
      <p>
        <a href={hashOf('login')}>Back to Login</a>
      </p>
    </CardPage>
  )
}
