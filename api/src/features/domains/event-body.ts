import type {
  DomainEvent,
  DomainEventValues,
  RecordSettings,
  WebForwardSettings,
} from '@homing/openapi'
import type { ListedEvent } from './list-events.ts'

type Side = 'old' | 'new'

/** Kinds that are about addresses, and on which side of the event they are. */
const ADDRESS_SIDES: Readonly<Partial<Record<ListedEvent['kind'], readonly Side[]>>> = {
  address: ['old', 'new'],
  created: ['new'],
  wildcard_created: ['new'],
  undeleted: ['new'],
  deleted: ['old'],
}

function valuesOf(event: ListedEvent, side: Side): DomainEventValues {
  const { kind, detail } = event
  if (kind === 'paused' || kind === 'resumed')
    return { paused: (kind === 'paused') === (side === 'new') }
  if (kind === 'note') return { note: detail?.[side] as string | null }
  if (kind === 'tags') return { tags: detail?.[side] as string[] }
  if (kind.startsWith('forward-')) {
    return { forward: (detail?.[side] ?? null) as WebForwardSettings | null }
  }
  if (kind.startsWith('record-')) {
    return { record: (detail?.[side] ?? null) as RecordSettings | null }
  }
  if (ADDRESS_SIDES[kind]?.includes(side) !== true) return {}
  return side === 'old'
    ? { record_ipv4: event.old_ipv4, record_ipv6: event.old_ipv6 }
    : { record_ipv4: event.new_ipv4, record_ipv6: event.new_ipv6 }
}

/** An event as JSON. */
export function eventBody(event: ListedEvent): DomainEvent {
  const { id, at, kind, actor, actor_name, source_ip, source_cc, client, undoes } = event
  return {
    id,
    at: at.toISOString(),
    kind,
    actor,
    actor_name,
    source_ip,
    source_cc,
    client,
    old: valuesOf(event, 'old'),
    new: valuesOf(event, 'new'),
    undoes,
  }
}
