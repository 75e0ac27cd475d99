import Button from '@mui/material/Button'
import { useMutation } from '@tanstack/react-query'
import { resendVerification } from '../../api/account.ts'
import { announce } from '../../components/Announcer.tsx'

/** Sends the verification link again to the address that the user tried to sign in with. */
export function ResendVerification({ typed }: { readonly typed: string }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: resendVerification,
    onSuccess: announce,
  })
  if (data !== undefined) return <p>{data}</p>
  // The link goes to an email address. A user name does not reveal the account's address.
  if (!typed.includes('@')) {
    return <p>To get a new verification email, sign in with your email address.</p>
  }
  return (
    <>
      {error && <p>{error.message}</p>}
      <Button variant="outlined" disabled={isPending} onClick={() => mutate(typed.trim())}>
        {isPending ? 'Sending...' : 'Resend Verification Email'}
      </Button>
    </>
  )
}
