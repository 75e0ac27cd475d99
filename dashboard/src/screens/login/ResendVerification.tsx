import Button from '@mui/material/Button'
import { resendVerification } from '../../api/account.ts'
import { textOf } from '../../api/problem.ts'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { hashOf } from '../../routes.ts'

const LABEL = 'Resend Verification Email'

/** Sends the verification link again to the address that the user tried to sign in with. */
export function ResendVerification({ typed }: { readonly typed: string }) {
  const { mutate, data, error, isPending } = useWrite({
    mutationFn: resendVerification,
    onSuccess: announce,
  })
  const { waitSeconds, labelOf } = useHold(error)
  if (data !== undefined) return <p>{data}</p>
  // The link goes to an email address. A user name does not reveal the account's address.
  if (!typed.includes('@')) return <a href={hashOf('resend-verification')}>{LABEL}</a>
  return (
    <>
      {error && <p>{textOf(error, 'Failed to send verification email.')}</p>}
      <Button
        variant="outlined"
        aria-disabled={isPending || waitSeconds > 0}
        onClick={() => waitSeconds > 0 || mutate(typed.trim())}
      >
        {isPending ? 'Sending...' : labelOf(LABEL)}
      </Button>
    </>
  )
}
