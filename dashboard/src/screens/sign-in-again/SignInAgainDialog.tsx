/** Lets the user sign in again in place, with the same steps as the sign-in screen. */
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { DialogFrame } from '@homing/theme/parts/DialogFrame.tsx'
import { go, hashOf } from '../../routes.ts'
import { PasswordForm } from '../login/PasswordForm.tsx'
import { SecondFactorForm } from '../login/SecondFactorForm.tsx'
import { useSignInSteps } from '../login/use-sign-in-steps.ts'
import './sign-in-again.css'

/** Goes to the sign-in screen, unless the user wants to keep unsaved changes. */
function leave(): void {
  go(hashOf('login', { next: location.hash.slice(1) }), { replace: true })
}

export default function SignInAgainDialog({ username }: { readonly username: string }) {
  const { wish, failure, requireSecondFactor, startAgain } = useSignInSteps()
  // Without `onClose`: every call would open the dialog again.
  return (
    <DialogFrame title={wish === undefined ? 'Sign in again' : 'Second factor'}>
      <DialogContent className="modal-content sign-in-again">
        <p>Your session has ended. Sign in to continue on this page. What you typed is kept.</p>
        {wish === undefined ? (
          <PasswordForm
            fixedUsername={username}
            initialFailure={failure}
            onSecondFactor={requireSecondFactor}
          />
        ) : (
          <SecondFactorForm wish={wish} onStartAgain={startAgain} />
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={leave}>Sign in as somebody else</Button>
      </DialogActions>
    </DialogFrame>
  )
}
