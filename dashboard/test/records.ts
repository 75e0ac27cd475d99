/** A mock of the API's records, in memory. Its rules are few; the service's own are tested with the service. */
import type { components } from '@homing/openapi/client'
import { domain, serveDomains } from './domains.ts'
import { exampleOf, listed, mock, ok, problem } from './mock.ts'

type Schemas = components['schemas']
type DnsRecord = Schemas['DnsRecord']
type Usage = Schemas['RecordUsage']
type DomainEvent = Schemas['DomainEvent']

/** A record: the contract's example, with changes. */
export const dnsRecord = (changes: Partial<DnsRecord> = {}): DnsRecord => {
  const [example] = exampleOf('listDomainRecords')
  return { ...(example as DnsRecord), ...changes }
}

/** What the plans Pro and Free include. */
export const usageOf = (used: number, changes: Partial<Usage> = {}): Usage => ({
  ...exampleOf('getRecordUsage'),
  used,
  ...changes,
})
export const FREE: Partial<Usage> = { limit: 10, record_types: 'txt', minimum_ttl: 3_600 }

/** The mock has the text of the URL. */
const isDryRun = ({ dry_run }: { readonly dry_run?: unknown }) => String(dry_run) === 'true'

const APEX = 'home.example.net'
const fullName = (owner: string) =>
  owner === '@' ? APEX : owner.endsWith(APEX) ? owner : `${owner}.${APEX}`

interface Served {
  readonly records?: readonly DnsRecord[]
  readonly domain?: Schemas['Domain']
  readonly usage?: Usage
}

interface Kept {
  /** The records in memory, which calls change. */
  readonly records: DnsRecord[]
  readonly events: DomainEvent[]
}

/** Mocks the calls for the records of the domain `home.example.net`, with its history. */
export function serveRecords(served: Served = {}): Kept {
  const kept: Kept = { records: [...(served.records ?? [])], events: [] }
  const { records, events } = kept
  const find = (id: string) => records.find((row) => row.id === id)
  const note = (kind: DomainEvent['kind'], old?: DnsRecord, next?: DnsRecord) => {
    const [example] = exampleOf('listDomainEvents')
    const id = String(1_000 + events.length)
    const event = { ...(example as DomainEvent), id, kind, undoes: null }
    const settingsOf = (row?: DnsRecord) =>
      row === undefined
        ? null
        : { owner: row.owner, type: row.type, ttl: row.ttl, values: row.values }
    events.unshift({
      ...event,
      at: new Date().toISOString(),
      old: { record: settingsOf(old) },
      new: { record: settingsOf(next) },
    })
  }
  const make = (body: Schemas['NewRecord']): DnsRecord =>
    dnsRecord({
      ttl: 3_600,
      ...body,
      id: String(100 + records.length + events.length),
      owner: fullName(body.owner),
      version: 1,
    })
  const remove = (row: DnsRecord) => {
    records.splice(records.indexOf(row), 1)
    note('record-deleted', row)
  }
  serveDomains(served.domain ?? domain())
  mock.handle({
    listDomainRecords: ({ query }) => listed(records, query),
    getRecordUsage: () => ok(served.usage ?? usageOf(records.length)),
    createDomainRecord({ body, query }) {
      const made = make(body)
      if (records.some(({ owner, type }) => owner === made.owner && type === made.type)) {
        const detail = `${made.owner} has a ${made.type} record. Change it instead.`
        return problem('record-exists', { detail })
      }
      if (isDryRun(query)) return ok({ ...made, id: '1' })
      records.push(made)
      note('record-created', undefined, made)
      return ok(made)
    },
    updateDomainRecord({ params, body, query, headers }) {
      const found = find(params.record_id)
      if (found === undefined) return problem('not-found')
      const wanted = headers.get('if-match') ?? `"${found.version}"`
      if (wanted !== `"${found.version}"`) return problem('version-mismatch')
      const changed = { ...found, ...body, version: found.version + 1 }
      if (isDryRun(query)) return ok(changed)
      records[records.indexOf(found)] = changed
      note('record-changed', found, changed)
      return ok(changed)
    },
    deleteDomainRecord({ params, headers }) {
      const found = find(params.record_id)
      if (found === undefined) return problem('not-found')
      if (headers.get('if-match') !== `"${found.version}"`) return problem('version-mismatch')
      remove(found)
      return ok()
    },
    changeDomainRecords({ body }) {
      for (const operation of body.operations) {
        if (operation.op === 'create') {
          const { op: _, ...body } = operation
          records.push(make(body))
        }
        const found = operation.op === 'delete' ? find(operation.id) : undefined
        if (found !== undefined) remove(found)
      }
      return ok({ applied: true, verdicts: [] })
    },
    listDomainEvents: ({ query }) => listed(events, { ...query, sort: '["id","DESC"]' }),
    undoDomainEvent({ params }) {
      const event = events.find(({ id }) => id === params.event_id)
      const old = event?.old.record
      if (event === undefined || old === null || old === undefined) return problem('not-found')
      const now = records.find(({ owner, type }) => owner === old.owner && type === old.type)
      if (now === undefined) records.push(make(old))
      else records[records.indexOf(now)] = { ...now, ...old, version: now.version + 1 }
      note('record-created', undefined, records.at(-1))
      return ok(domain())
    },
  })
  return kept
}
