/** The sign-out: ends the session and leaves for the landing page, or says why the session continues. */
import { signOut } from '../../api/account.ts'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { SITE_ROOT } from '../../routes.ts'

/** For `useWrite`. */
export const SIGN_OUT = {
  mutationFn: signOut,
  onSuccess: () => location.assign(SITE_ROOT),
  onError: (error: Error) =>
    notify({ kind: 'failure', text: `You are still signed in. ${error.message}` }),
}
