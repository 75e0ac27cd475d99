import { clientName, reactionTo } from '@homing/openapi/devices'
import { ageText, counted, timeText } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import type { ReactNode } from 'react'
import type { UpdateCall } from '../../../api/update-calls.ts'
import { isSuccess, meaningOf } from '../../dashboard/how-to-update/answer-text.ts'
import { InlineCode } from '../../dashboard/how-to-update/InlineCode.tsx'
import { readingOf } from './reading.ts'

interface CallItemProps {
  readonly call: UpdateCall
  readonly nowMs: number
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      {children}
    </div>
  )
}

/** What came: the request, its sender and its program. */
function Came({ call: { path, said, source_ip, client } }: Pick<CallItemProps, 'call'>) {
  return (
    <Fact title="What came">
      <dd className="monospace domain-said">
        {path} {said}
      </dd>
      <dd>
        {source_ip === null ? 'From an unknown address' : `From ${source_ip}`}
        {client === null ? ', a program without a name' : `, ${clientName(client)}`}
      </dd>
      {client !== null && clientName(client) !== client && (
        <dd className="muted monospace domain-said">{client}</dd>
      )}
    </Fact>
  )
}

/** What the program does with the answer, if its source is known. */
function Reaction({ call: { client, answer } }: Pick<CallItemProps, 'call'>) {
  const name = client === null ? 'this program' : clientName(client)
  const reaction = client === null ? undefined : reactionTo(client, answer)
  return (
    <Fact title={client === null ? 'What the program shows' : `What ${name} shows`}>
      <dd>{reaction ?? `Only ${name} knows. It received the answer above, and nothing else.`}</dd>
    </Fact>
  )
}

/** One update call, or several equal ones. */
export function CallItem({ call, nowMs }: CallItemProps) {
  const { answer, first_at, last_at, times, hint_text } = call
  const isGood = isSuccess(answer)
  const meaning = meaningOf(answer)
  return (
    <li className="domain-event">
      <div className="domain-card-head">
        <h3
          className={
            isGood ? 'domain-status domain-status-active' : 'domain-status domain-status-withheld'
          }
        >
          <Icon name={isGood ? 'success' : 'failure'} size={16} />
          {isGood ? 'Accepted' : 'Not accepted'}
        </h3>
        <span className="muted">
          <time dateTime={last_at} title={timeText(last_at)}>
            {ageText(last_at, nowMs)}
          </time>
          {times > 1 && `, ${counted(times, 'equal call')} since ${timeText(first_at)}`}
        </span>
      </div>
      <dl className="section-facts">
        <Came call={call} />
        <Fact title="How it was read">
          {readingOf(call).map((text) => (
            <dd key={text}>{text}</dd>
          ))}
        </Fact>
        <Fact title="What was answered">
          <dd className="monospace">{answer}</dd>
          {meaning !== undefined && (
            <dd>
              <InlineCode text={meaning} />
            </dd>
          )}
        </Fact>
        <Reaction call={call} />
      </dl>
      {hint_text !== null && (
        <Message tone={isGood ? 'warn' : 'error'}>
          <p>{hint_text}</p>
        </Message>
      )}
    </li>
  )
}
