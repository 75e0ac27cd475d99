import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { confirmEmailChange } from '../../api/mail-links.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Outcome } from '../../components/Outcome.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { hashOf, type ScreenProps } from '../../routes.ts'
import { useAccountLink } from '../frame/use-account-link.ts'

/** A link of a change of address: one goes to the present address, one to the new address. */
export default function ConfirmEmailScreen({ place }: ScreenProps) {
  const token = place.argument
  return (
    <CardPage link={useAccountLink()}>
      {token === '' ? (
        <InvalidLink title="Invalid Link" text="Invalid confirmation link" />
      ) : (
        <Confirmation key={token} token={token} />
      )}
    </CardPage>
  )
}

/** Programs that scan mail open links too, so a person has to press the button. */
function Confirmation({ token }: { readonly token: string }) {
  const queries = useQueryClient()
  const { mutate, data, error, isPending } = useWrite({
    mutationFn: confirmEmailChange,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['me'] }),
  })
  const { waitSeconds, labelOf } = useHold(error)
  if (data !== undefined) return <Confirmed isChanged={data.is_changed} text={data.message} />
  if (error instanceof ApiProblem && error.code === 'link-expired') {
    return <InvalidLink title="Link Expired" text={error.message} />
  }
  if (error instanceof ApiProblem && error.code === 'link-invalid') {
    return <InvalidLink title="Invalid Link" text={error.message} />
  }
  return (
    <>
      <ScreenTitle title="Confirm your email address" />
      <p>
        You opened this link from a mail about a change of your account’s email address. If you
        requested the change, confirm that this address is yours.
      </p>
      {error && <Failure error={error} hasTimer={false} />}
      <div className="card-page-actions">
        <Button
          variant="contained"
          size="large"
          fullWidth
          aria-disabled={isPending || waitSeconds > 0}
          onClick={() => waitSeconds > 0 || mutate(token)}
        >
          {isPending ? 'Confirming...' : labelOf('Confirm this address')}
        </Button>
      </div>
      <p className="muted">
        If you did not request it, close this page. Without your confirmation nothing changes.
      </p>
    </>
  )
}

interface ConfirmedProps {
  /** Whether both addresses are confirmed. */
  readonly isChanged: boolean
  readonly text: string
}

function Confirmed({ isChanged, text }: ConfirmedProps) {
  return (
    <>
      <Outcome isGood title={isChanged ? 'Email Address Changed' : 'Address Confirmed'} />
      <p>{text}</p>
      {!isChanged && <p className="muted">Open the link that we mailed to the other address.</p>}
      <GoOn />
    </>
  )
}

interface InvalidLinkProps {
  readonly title: string
  readonly text: string
}

function InvalidLink({ title, text }: InvalidLinkProps) {
  return (
    <>
      <Outcome isGood={false} title={title} />
      <p role="alert">{text}</p>
      <p className="muted">
        Each link works once, for 24 hours. If the change has not taken effect, request it again in
        your settings.
      </p>
      <GoOn />
    </>
  )
}

function GoOn() {
  const { user } = useSession()
  return (
    <Button
      variant="contained"
      size="large"
      fullWidth
      href={user === undefined ? hashOf('login') : hashOf('dashboard')}
    >
      {user === undefined ? 'Go to Login' : 'Go to Dashboard'}
    </Button>
  )
}
