/** Records as this program shows and finds them. */
import type { ApiClient } from './client.ts'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { EXIT } from './exit-codes.ts'
import { CommandFailure, usage } from './failure.ts'
import { type Column, type Fact, fieldLine, isTerminal, type Listing, listed } from './output.ts'
import { type DnsRecord, listRecords } from './record-calls.ts'
import { fullOwner, type Place, relativeOwner } from './record-places.ts'
import { printable } from './text.ts'

export const RECORD_FIELDS = [
  'id',
  'domain_id',
  'zone',
  'owner',
  'type',
  'ttl',
  'values',
  'is_served',
  'created_at',
  'version',
] as const satisfies readonly (keyof DnsRecord)[]

/** How `update`, `show` and `remove` name a record: `TXT _acme-challenge`, or its id. */
export const recordArguments = {
  type: Args.string({
    description: 'the type of the record, such as TXT; or its id, without an owner',
    required: true,
  }),
  owner: Args.string({
    description: 'its name, relative to the domain, @ for the domain itself, or in full',
  }),
}

export const dryRunFlag = Flags.boolean({
  description: 'check everything and change nothing',
  default: false,
})

export const ttlFlag = Flags.integer({
  description: 'how long resolvers may keep it; your plan sets the minimum',
  helpValue: 'SECONDS',
  min: 1,
  max: 604_800,
})

export const versionFlag = Flags.integer({
  description: 'only if it still has this version (see records show)',
  helpValue: 'NUMBER',
  min: 1,
})

function columnsOf(place: Place, records: readonly DnsRecord[]): Column<DnsRecord>[] {
  const isAllServed = records.every(({ is_served }) => is_served)
  return [
    { title: 'OWNER', of: ({ owner }) => relativeOwner(place, owner) },
    { title: 'TYPE', of: ({ type }) => type },
    { title: 'TTL', of: ({ ttl }) => String(ttl), dropFirst: 2 },
    { title: 'VALUE', of: ({ values }) => values, fit: 'cut' },
    { title: 'ID', of: ({ id }) => id, dropFirst: 3 },
    ...(isAllServed
      ? []
      : [
          {
            title: 'STATE',
            of: ({ is_served }: DnsRecord) => (is_served ? 'served' : 'withheld'),
            dropFirst: 1,
          },
        ]),
  ]
}

const fields: Listing<DnsRecord>['fields'] = ({ id, owner, type, ttl, values }) => [
  id,
  owner,
  type,
  ttl,
  ...values,
]

/** One record for each value: a line of a zone file. */
const byValue = (records: readonly DnsRecord[]): DnsRecord[] =>
  records.flatMap((record) => record.values.map((value) => ({ ...record, values: [value] })))

/** The records as a table, with long values shortened; in a pipe a whole line for each value. */
export async function listedRecords(place: Place, records: readonly DnsRecord[]): Promise<string> {
  const rows = isTerminal() ? records : byValue(records)
  return listed(rows, { columns: columnsOf(place, records), fields })
}

/** A line for each value of a record: id, owner, type, TTL, value. */
export const recordLines = (record: DnsRecord): string =>
  byValue([record])
    .map((row) => fieldLine(fields(row)))
    .join('\n')

export const recordFacts = (record: DnsRecord): Fact[] => [
  ['id', record.id],
  ['owner', record.owner],
  ['type', record.type],
  ['ttl', `${record.ttl} s`],
  ...record.values.map((value): Fact => ['value', value]),
  ['zone', record.zone],
  ['state', record.is_served ? 'served' : 'withheld'],
  ['created', record.created_at],
  ['version', record.version],
]

/** A record as messages name it: `TXT _acme-challenge.home.example.net`. */
export const named = ({ type, owner }: Pick<DnsRecord, 'type' | 'owner'>): string =>
  printable(`${type} ${owner}`)

/** What is true after a change, in words. */
export function servedSentence({ is_served }: DnsRecord): string {
  return is_served ? 'DNS serves it.' : 'DNS does not serve it: its domain or its zone is withheld.'
}

export interface Named {
  readonly type: string
  readonly owner?: string | undefined
}

/** The record of a place with this id, or with this type and owner; undefined if it does not exist. */
export async function recordAt(
  api: ApiClient,
  place: Place,
  { type, owner }: Named,
): Promise<DnsRecord | undefined> {
  const isId = /^\d+$/.test(type)
  if (isId && owner !== undefined) throw usage('Give either the id, or the type and the owner.')
  if (isId) return (await listRecords(api, place, { id: type }))[0]
  if (owner === undefined) {
    throw usage(`OWNER is missing: the name of the ${printable(type)} record, or @.`)
  }
  const wanted = { type: type.toUpperCase(), owner: fullOwner(place, owner) }
  return (await listRecords(api, place, wanted))[0]
}

/** @throws CommandFailure if it does not exist */
export async function findRecord(api: ApiClient, place: Place, wanted: Named): Promise<DnsRecord> {
  const found = await recordAt(api, place, wanted)
  if (found !== undefined) return found
  const { type, owner } = wanted
  const what =
    owner === undefined
      ? `record with the id ${type}`
      : `${type.toUpperCase()} record at ${fullOwner(place, owner)}`
  throw new CommandFailure(
    EXIT.notFound,
    printable(`${place.name} has no ${what}. List its records: homing records ${place.name}`),
  )
}
