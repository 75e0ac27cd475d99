import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type ResetSubject, resetSubjectQuery } from '../../api/mail-links.ts'
import { textOf } from '../../api/problem.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Outcome } from '../../components/Outcome.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { Waiting } from '@homing/theme/parts/Waiting.tsx'
import { hashOf, type ScreenProps } from '../../routes.ts'
import { useAccountLink } from '../frame/use-account-link.ts'
import { isLinkRefused } from './link-errors.ts'
import { type Reset, ResetDone } from './ResetDone.tsx'
import { ResetForm } from './ResetForm.tsx'

export default function ResetPasswordScreen({ place }: ScreenProps) {
  const token = place.argument
  return (
    <CardPage link={useAccountLink()}>
      {token === '' ? (
        <InvalidLink text="Invalid or missing reset token" />
      ) : (
        <ResetLink key={token} token={token} />
      )}
    </CardPage>
  )
}

/** Checks the link, then asks for the new password, then says what the change ended. */
function ResetLink({ token }: { readonly token: string }) {
  const [reset, setReset] = useState<Reset>()
  // The end of the session clears what was read. A used link must not be checked again.
  const query = useQuery({ ...resetSubjectQuery(token), enabled: reset === undefined })
  const { data: subject, error, refetch } = query
  const [expired, setExpired] = useState<Error>()
  if (reset !== undefined) return <ResetDone reset={reset} />
  const refusal = expired ?? error
  if (refusal !== null && isLinkRefused(refusal)) {
    return <InvalidLink text={textOf(refusal, 'Invalid or expired reset token')} />
  }
  return (
    <>
      <ScreenTitle title="Reset password" takesFocus={subject === undefined} />
      <Checked subject={subject} error={error} onRetry={() => void refetch()}>
        {(found) => (
          <ResetForm token={token} subject={found} onDone={setReset} onInvalidLink={setExpired} />
        )}
      </Checked>
    </>
  )
}

interface CheckedProps {
  readonly subject: ResetSubject | undefined
  readonly error: Error | null
  readonly onRetry: () => void
  readonly children: (subject: ResetSubject) => ReactNode
}

function Checked({ subject, error, onRetry, children }: CheckedProps) {
  if (subject !== undefined) return children(subject)
  if (error !== null) return <Failure error={error} onRetry={onRetry} />
  return <Waiting>Verifying reset token...</Waiting>
}

function InvalidLink({ text }: { readonly text: string }) {
  return (
    <>
      <Outcome isGood={false} title="Invalid or Expired Link" />
      <p role="alert">{text}</p>
      <Button variant="contained" size="large" fullWidth href={hashOf('forgot-password')}>
        Request New Reset Link
      </Button>
      <p>
        <a href={hashOf('login')}>Back to Login</a>
      </p>
    </>
  )
}
