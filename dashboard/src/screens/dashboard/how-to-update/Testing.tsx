/** Whether it works: a test from this browser, and the calls that arrive. */
import { fillIn, type UpdateSettings } from '@homing/openapi/devices'
import Button from '@mui/material/Button'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { sendTestUpdate } from '../../../api/test-update.ts'
import { lastCallQuery } from '../../../api/update-calls.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { isSuccess, meaningOf } from './answer-text.ts'
import { CopyLine } from './CopyLine.tsx'
import { LastCall } from './LastCall.tsx'

const COMMAND = 'curl -u "NAME:TOKEN" "https://SERVICE/nic/update?hostname=NAME"'
const NO_TOKEN = 'Create the update token first.'
const UNKNOWN =
  'The test needs the update token, which the service only knows while you create it. Replace the token to test with a new one, or run the command with your own.'

interface TestNowProps {
  readonly settings: UpdateSettings
  readonly hasToken: boolean
  readonly onAnswer: () => void
}

const EFFECT =
  'Sends the request of a router from this browser. The domain gets the address of this browser.'

function TestNow({ settings: { fqdn, token }, hasToken, onAnswer }: TestNowProps) {
  const reasonId = useId()
  const { mutate, data, error, isPending } = useWrite({
    mutationFn: () => sendTestUpdate(fqdn, token ?? ''),
    onSuccess: onAnswer,
  })
  return (
    <>
      <div className="button-row">
        <Button
          variant="outlined"
          disabled={token === undefined}
          aria-disabled={isPending}
          aria-describedby={reasonId}
          onClick={() => isPending || mutate()}
        >
          {isPending ? 'Testing...' : 'Test Now'}
        </Button>
      </div>
      <p id={reasonId} className="muted">
        {token === undefined ? (hasToken ? UNKNOWN : NO_TOKEN) : EFFECT}
      </p>
      {error && <Failure error={error} text="The service did not answer. Check your connection." />}
      {data && (
        <Message tone={isSuccess(data.text) ? 'success' : 'error'}>
          <p>
            The service answered <code className="monospace">{data.text}</code>
          </p>
          <p>{meaningOf(data.text, data.status)}</p>
        </Message>
      )}
    </>
  )
}

interface TestingProps {
  readonly domainId: string
  readonly settings: UpdateSettings
  /** The beginning of the update token, if the domain has one. */
  readonly prefix: string | undefined
}

export function Testing({ domainId, settings, prefix }: TestingProps) {
  const queries = useQueryClient()
  const calls = lastCallQuery(domainId)
  const { data: call, error, refetch } = useQuery(calls)
  return (
    <section aria-label="Testing">
      <h3>Testing</h3>
      {error && call === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {call !== undefined && <LastCall call={call} prefix={prefix} />}
      <TestNow
        settings={settings}
        hasToken={prefix !== undefined}
        onAnswer={() => void queries.invalidateQueries({ queryKey: calls.queryKey })}
      />
      <dl>
        <CopyLine label="cURL" text={fillIn(COMMAND, settings)} />
      </dl>
    </section>
  )
}
