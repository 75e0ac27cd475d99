import { clientName } from '@homing/openapi/devices'
import { ageText } from '@homing/theme/formats'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isDeclined } from '../../../api/confirmation.ts'
import {
  createUpdateToken,
  deleteUpdateToken,
  type UpdateToken,
  updateTokenQuery,
} from '../../../api/update-tokens.ts'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { Message } from '@homing/theme/parts/Message.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { CopyLine } from './CopyLine.tsx'

interface TokenPanelProps {
  readonly domainId: string
  /** Null if the domain has no token. */
  readonly token: UpdateToken | null
  /** The secret of a token that was just created. It cannot be shown again. */
  readonly secret: string | undefined
  readonly onSecret: (secret: string | undefined) => void
}

const TICK_MS = 10_000

/** How the token is used: what stops working without it. */
function usedText({ last_used_at, last_used_ip, last_client }: UpdateToken, now: number): string {
  if (last_used_at === null) return 'It has not been used yet.'
  const client = last_client === null ? '' : ` by ${clientName(last_client)}`
  const from = last_used_ip === null ? '' : ` from ${last_used_ip}`
  return `It was last used ${ageText(last_used_at, now)}${client}${from}.`
}

/** Creates, replaces and deletes the token. */
function useToken({ domainId, onSecret }: Pick<TokenPanelProps, 'domainId' | 'onSecret'>) {
  const queries = useQueryClient()
  const { queryKey } = updateTokenQuery(domainId)
  const create = useWrite({
    mutationFn: (replace: boolean) => createUpdateToken(domainId, replace),
    onSuccess({ token: secret, ...token }) {
      queries.setQueryData(queryKey, token)
      onSecret(secret)
    },
  })
  const remove = useWrite({
    mutationFn: () => deleteUpdateToken(domainId),
    onSuccess() {
      queries.setQueryData(queryKey, null)
      onSecret(undefined)
      announce('The update token was deleted.')
    },
  })
  return { create, remove }
}

/** Asks for confirmation: the effect of the action, and the button that runs it. A router can be using the token. */
function SecondLook(props: {
  readonly text: string
  readonly label: string
  readonly isBusy: boolean
  readonly onYes: () => void
  readonly onNo: () => void
}) {
  const { text, label, isBusy, onYes, onNo } = props
  return (
    <Message tone="warn">
      <p>{text}</p>
      <div className="button-row">
        <Button variant="contained" color="error" aria-disabled={isBusy} onClick={onYes}>
          {label}
        </Button>
        <Button disabled={isBusy} onClick={onNo}>
          Cancel
        </Button>
      </div>
    </Message>
  )
}

const REFUSED_FROM_THEN_ON =
  'The token stops working at once. Routers that use it can no longer update this domain.'

/** The pressed button can disappear. The focus then moves to the section that it changed. */
function useFocusOnChange(state: string) {
  const element = useRef<HTMLElement>(null)
  const seen = useRef(state)
  useEffect(() => {
    if (seen.current !== state) element.current?.focus()
    seen.current = state
  }, [state])
  return element
}

export function TokenPanel({ domainId, token, secret, onSecret }: TokenPanelProps) {
  const now = useNow(TICK_MS)
  const { create, remove } = useToken({ domainId, onSecret })
  const [asked, setAsked] = useState<'replace' | 'delete'>()
  const { waitSeconds, labelOf } = useHold(create.error)
  const isBusy = create.isPending || remove.isPending || waitSeconds > 0
  const failure = create.error ?? remove.error
  const error = isDeclined(failure) ? null : failure

  function sure(): void {
    const settle = { onSettled: () => setAsked(undefined) }
    if (isBusy) return
    if (asked === 'replace') create.mutate(true, settle)
    else remove.mutate(undefined, settle)
  }
  const panel = useFocusOnChange(`${token?.prefix} ${asked}`)
  if (token === null) {
    return (
      <section ref={panel} tabIndex={-1}>
        <h3>Update token</h3>
        {error && <Failure error={error} hasTimer={false} />}
        <p>
          Your router authenticates with an update token. It is valid only for this domain, so the
          router does not need your account’s password.
        </p>
        <Button
          variant="contained"
          className="fit"
          aria-disabled={isBusy}
          onClick={() => isBusy || create.mutate(false)}
        >
          {labelOf('Create Update Token')}
        </Button>
      </section>
    )
  }
  return (
    <section ref={panel} tabIndex={-1} className="token">
      <h3>Update token</h3>
      {error && <Failure error={error} />}
      {secret === undefined ? (
        <p>
          The domain has an update token, which starts with{' '}
          <code className="monospace">{token.prefix}</code>. The full token was shown only when you
          created it. {usedText(token, now)}
        </p>
      ) : (
        <>
          <dl>
            <CopyLine label="Update token" text={secret} />
          </dl>
          <Message tone="warn">
            <p>Copy the token now. You won’t be able to see it again.</p>
          </Message>
        </>
      )}
      {asked === undefined && secret === undefined && (
        <div className="button-row">
          <Button variant="outlined" onClick={() => setAsked('replace')}>
            Replace Token
          </Button>
          <Button variant="outlined" color="error" onClick={() => setAsked('delete')}>
            Delete Token
          </Button>
        </div>
      )}
      {asked !== undefined && (
        <SecondLook
          text={`${REFUSED_FROM_THEN_ON} ${usedText(token, now)}`}
          label={asked === 'replace' ? 'Replace' : 'Delete'}
          isBusy={isBusy}
          onYes={sure}
          onNo={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}
