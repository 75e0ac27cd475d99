/** The newest update call for the domain, as it arrives. */
import { clientName } from '@homing/openapi/devices'
import { ageText } from '@homing/theme/formats'
import type { UpdateCall } from '../../../api/update-calls.ts'
import { Message } from '@homing/theme/parts/Message.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { isSuccess, meaningOf } from './answer-text.ts'

const TICK_MS = 10_000

/** The problem of a call, in words. A call can succeed and still have a hint. */
function causeOf(
  { answer, hint_text }: UpdateCall,
  prefix: string | undefined,
): string | undefined {
  if (hint_text !== null || isSuccess(answer)) return hint_text ?? undefined
  if (answer === 'badauth' && prefix !== undefined) {
    return `The device sent a wrong password. Its password must be the update token of this domain, which starts with ${prefix}.`
  }
  return meaningOf(answer) ?? 'The call was refused.'
}

interface LastCallProps {
  /** Null before the first call. */
  readonly call: UpdateCall | null
  /** The beginning of the update token, if the domain has one. */
  readonly prefix: string | undefined
}

export function LastCall({ call, prefix }: LastCallProps) {
  const now = useNow(TICK_MS)
  if (call === null) {
    return (
      <p role="status" className="live-line">
        <span className="dot" aria-hidden="true" />
        Waiting for the first update…
      </p>
    )
  }
  const { last_at, source_ip, client, answer } = call
  const cause = causeOf(call, prefix)
  const isGood = isSuccess(answer)
  return (
    <>
      <p role="status" className="live-line" data-state={isGood ? 'good' : 'refused'}>
        <span className="dot" aria-hidden="true" />
        <span>
          Received {ageText(last_at, now)}
          {source_ip !== null && ` from ${source_ip}`}
          {client !== null && `, client ${clientName(client)}`}, answered{' '}
          <code className="monospace">{answer}</code>
        </span>
      </p>
      {cause !== undefined && (
        <Message tone={isGood ? 'warn' : 'error'}>
          <p>{cause}</p>
        </Message>
      )}
    </>
  )
}
