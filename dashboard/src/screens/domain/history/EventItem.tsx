import { ageText, timeText } from '@homing/theme/formats'
import type { ReactNode } from 'react'
import type { DomainEvent } from '../../../api/domain-history.ts'
import { Place } from '../../../components/Place.tsx'
import { changesOf, programOf, titleOf, whoOf } from './event-words.ts'

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
  readonly event: DomainEvent
  readonly isUndone: boolean
  readonly nowMs: number
  /** The button that undoes it; undefined if the service cannot. */
  readonly undo: ReactNode
}

/** One change of a domain, or of a record in an own zone. */
export function EventItem({ event, isUndone, nowMs, undo }: EventItemProps) {
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
      {!isUndone && undo}
    </li>
  )
}
