/** The events of a domain's history in words. */
import { clientName } from '@homing/openapi/devices'
import { isModeration } from '@homing/openapi/web-forward'
import { enumeration } from '@homing/theme/formats'
import { deviceOf } from '../../../components/device.ts'
import { type DomainEvent, UNDO_DAYS, UNDOABLE_KINDS } from '../../../api/domain-history.ts'
import { forwardChangesOf, sentence } from './forward-words.ts'
import { recordChangesOf } from './record-event-words.ts'

const TITLES: Readonly<Record<DomainEvent['kind'], string>> = {
  created: 'Registered',
  address: 'Address changed',
  paused: 'Paused',
  resumed: 'Resumed',
  note: 'Note changed',
  tags: 'Tags changed',
  wildcard_created: 'Wildcard created',
  withheld: 'DNS stopped answering',
  restored: 'DNS answers again',
  deleted: 'Deleted',
  undeleted: 'Restored after deletion',
  'forward-started': 'Web forward started',
  'forward-changed': 'Web forward changed',
  'forward-ended': 'Web forward ended',
  'record-created': 'Record added',
  'record-changed': 'Record changed',
  'record-deleted': 'Record deleted',
}

export const titleOf = ({ kind }: DomainEvent): string => TITLES[kind]

const FAMILIES = [
  ['record_ipv4', 'IPv4 address'],
  ['record_ipv6', 'IPv6 address'],
] as const

const quoted = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text === '' ? null : `“${text}”`

const without = (tags: readonly string[] = [], others: readonly string[] = []) =>
  tags.filter((tag) => !others.includes(tag)).map((tag) => `“${tag}”`)

function tagSentences({ old, new: next }: DomainEvent): string[] {
  const [added, removed] = [without(next.tags, old.tags), without(old.tags, next.tags)]
  return [
    ...(added.length === 0 ? [] : [`${enumeration(added)} added`]),
    ...(removed.length === 0 ? [] : [`${enumeration(removed)} removed`]),
  ]
}

/** What the kind of an event means, where its values do not say it. */
const MEANINGS: Readonly<Partial<Record<DomainEvent['kind'], string>>> = {
  paused: 'DNS stopped answering. Updates were stored.',
  resumed: 'DNS answers again.',
  withheld: 'An administrator’s lock, the limit of the plan or a disabled account caused it.',
  restored:
    'DNS answers again, because the lock, the plan limit or the block of the account no longer applies.',
}

/** The values before and after the event, in sentences. */
export function changesOf(event: DomainEvent): readonly string[] {
  const { kind, old, new: next } = event
  if (kind === 'tags') return tagSentences(event)
  if (kind === 'deleted') return ['DNS stopped answering.']
  const changes = FAMILIES.map(([family, what]) =>
    sentence(what, old[family] ?? null, next[family] ?? null),
  )
  if (kind === 'note') changes.push(sentence('Note', quoted(old.note), quoted(next.note)))
  const all = [...changes, ...forwardChangesOf(event), ...recordChangesOf(event), MEANINGS[kind]]
  return all.filter((change) => change !== undefined)
}

const named = (what: string, name: string | null) =>
  name === null ? `A deleted ${what}` : `The ${what} “${name}”`

/** Who made the change, or with which credential. */
export function whoOf({ actor, actor_name }: DomainEvent): string {
  if (actor === 'api_key') return named('API key', actor_name)
  if (actor === 'pipeline') return named('pipeline', actor_name)
  return {
    session: 'You',
    update_token: 'The update token',
    password: 'An update client with your account password',
    administrator: 'An administrator',
    system: 'The service',
  }[actor]
}

/** The program of a change: a browser, an update client or another one. */
export const programOf = ({ actor, client }: DomainEvent): string | null => {
  if (client === null) return null
  return actor === 'session' ? deviceOf(client) : clientName(client)
}

const withLower = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

/** From where a change came, in a sentence: the update client by its name, or who made it. */
export const sourceOf = (event: DomainEvent): string =>
  event.client === null || event.actor === 'session'
    ? withLower(whoOf(event))
    : clientName(event.client)

const DAY_MS = 86_400_000

/** The ids of the events that a later event undid. */
export const undoneIn = (events: readonly DomainEvent[]): ReadonlySet<string> =>
  new Set(events.flatMap(({ undoes }) => (undoes === null ? [] : [undoes])))

/** Whether the service undoes such an event. A later change of the same fields is still a reason for it to refuse. */
export const isUndoable = ({ kind, at, old, new: next }: DomainEvent, nowMs: number): boolean =>
  UNDOABLE_KINDS.some((undoable) => undoable === kind) &&
  !isModeration(old.forward ?? null, next.forward ?? null) &&
  nowMs - Date.parse(at) < UNDO_DAYS * DAY_MS
