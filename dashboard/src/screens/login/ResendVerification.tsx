import Button from '@mui/material/Button'
import { useMutation } from '@tanstack/react-query'
import { resendVerification } from '../../api/account.ts'
import { announce } from '../../components/Announcer.tsx'

/** Sends the link again to the address with which somebody tried to sign in. */
export function ResendVerification({ typed }: { readonly typed: string }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: resendVerification,
    onSuccess: announce,
  })
  if (data !== undefined) return <p>{data}</p>
  // The link goes to an address, and a user name tells nobody's.
  if (!typed.includes('@')) {
    return <p>To have the link sent again, sign in with your email address.</p>
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
