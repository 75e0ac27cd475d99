import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { openedLinkQuery, verifyEmail } from '../../api/mail-links.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Outcome } from '../../components/Outcome.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { RequestId } from '@homing/theme/parts/RequestId.tsx'
import { Waiting } from '@homing/theme/parts/Waiting.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { go, hashOf, type ScreenProps } from '../../routes.ts'
import { useAccountLink } from '../frame/use-account-link.ts'
import { outcomeOf, type Verification } from './outcome.ts'

const VERIFYING = 'Verifying your email...'
const REDIRECT_MS = 3_000

const NO_TOKEN: Verification = {
  kind: 'failed',
  text: 'Invalid verification link',
  canRetry: false,
}

export default function VerifyEmailScreen({ place }: ScreenProps) {
  return (
    <CardPage link={useAccountLink()}>
      {place.argument === '' ? (
        <Finished outcome={NO_TOKEN} onRetry={() => undefined} />
      ) : (
        <OpenedLink key={place.argument} token={place.argument} />
      )}
    </CardPage>
  )
}

/** Opens the link: the browser that registered the account verifies the address, any other asks the person. */
function OpenedLink({ token }: { readonly token: string }) {
  const opened = useQuery({ ...openedLinkQuery(token), retry: false })
  const confirmed = useWrite({ mutationFn: verifyEmail })
  if (opened.isSuccess || confirmed.isSuccess) return <Verified />
  if (opened.isFetching || opened.error === null) {
    return (
      <>
        <ScreenTitle title="Verify your email address" />
        {opened.fetchStatus === 'paused' ? (
          <Message tone="warn">
            <p>This device is offline. The link is opened when it is online again.</p>
          </Message>
        ) : (
          <Waiting>{VERIFYING}</Waiting>
        )}
      </>
    )
  }
  const outcome = outcomeOf(confirmed.error ?? opened.error)
  const confirm = () => confirmed.mutate(token)
  if (outcome.kind === 'unconfirmed') {
    return <Question text={outcome.text} isBusy={confirmed.isPending} onConfirm={confirm} />
  }
  const retry = confirmed.error === null ? () => void opened.refetch() : confirm
  return <Finished outcome={outcome} onRetry={retry} />
}

interface QuestionProps {
  /** Names the account and the address. */
  readonly text: string
  readonly isBusy: boolean
  readonly onConfirm: () => void
}

function Question({ text, isBusy, onConfirm }: QuestionProps) {
  return (
    <>
      <ScreenTitle title="Verify your email address" />
      <div className="card-page-text">
        <p>{text}</p>
        <p className="muted">
          If you did not, close this page. The account cannot be used without a verified address.
        </p>
      </div>
      <Button variant="contained" size="large" fullWidth aria-disabled={isBusy} onClick={onConfirm}>
        {isBusy ? VERIFYING : 'Verify my email address'}
      </Button>
    </>
  )
}

const GoToLogin = () => (
  <Button variant="contained" size="large" fullWidth href={hashOf('login')}>
    Go to Login
  </Button>
)

function Verified() {
  useEffect(() => {
    const timer = setTimeout(go, REDIRECT_MS, hashOf('login'), { replace: true })
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <Outcome isGood title="Email Verified!" />
      <p role="status">Redirecting to login...</p>
      <GoToLogin />
    </>
  )
}

interface FinishedProps {
  readonly outcome: Verification
  readonly onRetry: () => void
}

function Finished({ outcome, onRetry }: FinishedProps) {
  if (outcome.kind === 'expired') {
    return (
      <>
        <Outcome isGood={false} title="Link Expired" />
        <p>A verification link works for 24 hours. Request a new one.</p>
        <Button variant="contained" size="large" fullWidth href={hashOf('resend-verification')}>
          Request New Verification Email
        </Button>
      </>
    )
  }
  if (outcome.kind === 'failed') {
    return (
      <>
        <Outcome isGood={false} title="Verification Failed" />
        <p role="alert">{outcome.text}</p>
        {outcome.canRetry && <RequestId id={outcome.requestId} />}
        <div className="card-page-actions">
          {outcome.canRetry && (
            <Button variant="outlined" fullWidth onClick={onRetry}>
              Retry
            </Button>
          )}
          <GoToLogin />
        </div>
      </>
    )
  }
  return (
    <>
      <Outcome isGood title="Already verified" />
      <p>This email address is already verified. You can sign in.</p>
      <GoToLogin />
    </>
  )
}
