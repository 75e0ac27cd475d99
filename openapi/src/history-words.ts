/** The words of the histories of domains and own zones. */

/** The kinds of events in the history of a domain. */
export const DOMAIN_EVENT_KINDS = [
  'created',
  'address',
  'paused',
  'resumed',
  'note',
  'tags',
  'wildcard_created',
  'withheld',
  'restored',
  'deleted',
  'undeleted',
  'forward-started',
  'forward-changed',
  'forward-ended',
  'record-created',
  'record-changed',
  'record-deleted',
] as const
export type DomainEventKind = (typeof DOMAIN_EVENT_KINDS)[number]

/** The kinds of events in the history of an own zone. */
export const ZONE_EVENT_KINDS = [
  'record-created',
  'record-changed',
  'record-deleted',
] as const satisfies readonly DomainEventKind[]
export type ZoneEventKind = (typeof ZONE_EVENT_KINDS)[number]

/** Kinds of events that their owner can undo. */
export const UNDOABLE_KINDS = [
  'address',
  'paused',
  'resumed',
  'note',
  'tags',
  'forward-started',
  'forward-changed',
  'forward-ended',
  ...ZONE_EVENT_KINDS,
] as const satisfies readonly DomainEventKind[]

/** The number of days in which an event can be undone. */
export const UNDO_DAYS = 30

/** Who caused an event in the history of a domain, or by which credential. */
export const DOMAIN_ACTORS = [
  'session',
  'api_key',
  'pipeline',
  'update_token',
  'password',
  'administrator',
  'system',
] as const
export type DomainActor = (typeof DOMAIN_ACTORS)[number]
