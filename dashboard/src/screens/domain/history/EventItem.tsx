import { ageText, timeText } from '@homing/theme/formats'
import type { DomainEvent } from '../../../api/domain-history.ts'
import { Place } from '../../../components/Place.tsx'
import { changesOf, programOf, titleOf, whoOf } from './event-words.ts'
import { UndoButton } from './UndoButton.tsx'

/** Who made the change, from where, and with which program. */
function Origin({ event }: { readonly event: DomainEvent }) {
  const { source_ip, source_cc, client } = event
  return (
    <p className="muted">
      {whoOf(event)}
      {source_ip !== null && (
        <>
          {' '}
          from <span className="monospace">{source_ip}</span>
        </>
      )}
      {source_cc !== null && (
        <>
          {' '}
          (<Place country={source_cc} />)
        </>
      )}
      {client !== null && (
        <>
          , <span title={client}>{programOf(event)}</span>
        </>
      )}
    </p>
  )
}

interface EventItemProps {
  readonly domainId: string
  readonly event: DomainEvent
  readonly isUndone: boolean
  /** Whether the service can undo it. */
  readonly canUndo: boolean
  readonly nowMs: number
  readonly onUndone: () => void
}

/** One change of the domain. */
export function EventItem(props: EventItemProps) {
  const { domainId, event, isUndone, canUndo, nowMs, onUndone } = props
  const { at, undoes } = event
  return (
    <li className="domain-event">
      <div className="domain-card-head">
        <h3>
          {titleOf(event)}
          {undoes !== null && <span className="badge">Undo of an earlier change</span>}
          {isUndone && <span className="badge">Undone</span>}
        </h3>
        <time className="muted" dateTime={at} title={timeText(at)}>
          {ageText(at, nowMs)}
        </time>
      </div>
      {changesOf(event).map((change) => (
        <p key={change} dir="auto" className="domain-change">
          {change}
        </p>
      ))}
      <Origin event={event} />
      {canUndo && !isUndone && <UndoButton domainId={domainId} event={event} onUndone={onUndone} />}
    </li>
  )
}
