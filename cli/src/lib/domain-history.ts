/** The history of domains and own zones, as this program shows it. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { listOf } from './api.ts'
import type { Listing } from './output.ts'
import { ago, shortened } from './text.ts'

export type DomainEvent = components['schemas']['DomainEvent']
export type ZoneEvent = components['schemas']['ZoneEvent']
type Values = components['schemas']['DomainEventValues']

/** The most events that the service returns at once. */
const PAGE = 100

export const EVENT_FIELDS = [
  'id',
  'at',
  'kind',
  'actor',
  'actor_name',
  'source_ip',
  'source_cc',
  'client',
  'old',
  'new',
  'undoes',
] as const satisfies readonly (keyof DomainEvent)[]

/** A page of the history of a domain or of an own zone. */
type ReadPage<Event> = (query: {
  readonly range: string
  readonly filter?: string
}) => Promise<readonly Event[]>

async function newestOf<Event extends { readonly id: string }>(
  limit: number,
  read: ReadPage<Event>,
): Promise<Event[]> {
  const events: Event[] = []
  while (events.length < limit) {
    const length = Math.min(PAGE, limit - events.length)
    const before = events.at(-1)?.id
    const page = await read({
      range: JSON.stringify([0, length - 1]),
      ...(before !== undefined && { filter: JSON.stringify({ before }) }),
    })
    events.push(...page)
    if (page.length < length) break
  }
  return events
}

/** The newest events of a domain, at most `limit`. */
export const newestEvents = async (
  api: ApiClient,
  id: string,
  limit: number,
): Promise<DomainEvent[]> =>
  newestOf(limit, async (query) => {
    const params = { path: { id }, query }
    return listOf(await api.GET('/api/domains/{id}/events', { params }), 'id', 'kind')
  })

/** The newest events of an own zone, at most `limit`. @param id of the claim */
export const newestZoneEvents = async (
  api: ApiClient,
  id: string,
  limit: number,
): Promise<ZoneEvent[]> =>
  newestOf(limit, async (query) => {
    const params = { path: { id }, query }
    return listOf(await api.GET('/api/zones/{id}/events', { params }), 'id', 'kind')
  })

const ACTORS: Readonly<Record<DomainEvent['actor'], string>> = {
  session: 'you',
  password: 'account password',
  api_key: 'API key',
  pipeline: 'pipeline',
  update_token: 'update token',
  administrator: 'an administrator',
  system: 'the service',
}

const who = ({ actor, actor_name }: DomainEvent) =>
  actor_name === null ? ACTORS[actor] : `${ACTORS[actor]} ${actor_name}`

/** The values of one side in a few words. */
function said({ record_ipv4, record_ipv6, note, tags, forward, record }: Values): string {
  if (record !== undefined) return record?.values.join(' ') ?? 'none'
  if (forward !== undefined) return forward?.target_url ?? 'none'
  if (note !== undefined) return note ?? 'none'
  if (tags !== undefined) return tags.join(', ') || 'none'
  return [record_ipv4, record_ipv6].filter((address) => address).join(' ') || 'none'
}

/** What changed: `192.0.2.1 → 192.0.2.2`; empty if the kind says it all. */
export function changeOf({ kind, old, new: next }: DomainEvent): string {
  const record = next.record ?? old.record
  if (record) return `${record.type} ${record.owner}: ${said(old)} → ${said(next)}`
  if (kind === 'address' || kind === 'note' || kind === 'tags' || kind.startsWith('forward-'))
    return `${said(old)} → ${said(next)}`
  return ''
}

/** With it, a table of events fits 80 columns. */
const RECORD_ROOM = 44

/** What changed, for a table. Values of records can be long, and the JSON has them whole. */
function changeCell(event: DomainEvent): readonly string[] {
  const { old, new: next } = event
  const record = next.record ?? old.record
  if (!record) return [changeOf(event)]
  const lines = [`${record.type} ${record.owner}`, `${said(old)} → ${said(next)}`]
  return lines.map((line) => shortened(line, RECORD_ROOM))
}

export const eventListing: Listing<DomainEvent> = {
  columns: [
    { title: 'EVENT', of: ({ id }) => id },
    { title: 'WHEN', of: ({ at }) => ago(at, Date.now()) },
    { title: 'WHAT', of: ({ kind }) => kind },
    { title: 'CHANGE', of: changeCell },
    { title: 'WHO', of: who, dropFirst: 1 },
    {
      title: 'FROM',
      of: ({ source_ip, source_cc }) => [source_ip, source_cc].filter((part) => part).join(' '),
      dropFirst: 2,
    },
    { title: 'CLIENT', of: ({ client }) => client ?? '', dropFirst: 3 },
  ],
  fields: (event) => [
    event.id,
    event.at,
    event.kind,
    changeOf(event),
    who(event),
    event.source_ip,
    event.source_cc,
    event.client,
  ],
}
