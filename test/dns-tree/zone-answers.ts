/** Answers from zones as an authoritative server gives them (RFC 1034 §4.3.2), for tests. */
import type { DnsQuery, DnsReply, TextRecord } from './message.ts'

/** The records of each zone by its name without the final dot; the root is the empty text. A zone has a SOA record. */
export type Zones = Readonly<Record<string, readonly TextRecord[]>>

/** The SOA record of a zone. */
export const soaOf = (zone: string): TextRecord => [
  zone,
  'SOA',
  `ns.invalid. hostmaster.invalid. 1 3600 600 86400 60`,
]

export const isAtOrBelow = (name: string, zone: string): boolean =>
  zone === '' || name === zone || name.endsWith(`.${zone}`)

const parentOf = (name: string) => name.split('.').slice(1).join('.')

function zoneFor({ name, type }: DnsQuery, zones: Zones): string | undefined {
  const holding = Object.keys(zones)
    .filter((zone) => isAtOrBelow(name, zone))
    .toSorted((one, other) => other.length - one.length)
  // RFC 4035 §3.1.4.1: the parent zone has the DS record, when the server has it.
  if (type === 'DS' && holding[0] === name && holding.length > 1) return holding[1]
  return holding[0]
}

export function answerFrom(zones: Zones, query: DnsQuery): DnsReply {
  const zone = zoneFor(query, zones)
  if (zone === undefined) return { rcode: 'REFUSED' }
  const records = zones[zone] ?? []
  return referral(zone, records, query) ?? inZone(zone, records, query)
}

const at = (records: readonly TextRecord[], name: string, type?: string) =>
  records.filter((each) => each[0] === name && (type === undefined || each[1] === type))

function referral(
  zone: string,
  records: readonly TextRecord[],
  { name, type }: DnsQuery,
): DnsReply | undefined {
  const cuts = records
    .filter((each) => each[1] === 'NS' && each[0] !== zone && isAtOrBelow(name, each[0]))
    .map(([owner]) => owner)
    .toSorted((one, other) => one.length - other.length)
  const [cut] = cuts
  if (cut === undefined || (cut === name && type === 'DS')) return undefined
  const authorities = at(records, cut, 'NS')
  return { authorities, additionals: addressesOf(records, authorities) }
}

function addressesOf(records: readonly TextRecord[], servers: readonly TextRecord[]) {
  const names = servers.map((each) => each[2].toLowerCase().replace(/\.$/, ''))
  return records.filter(
    ([owner, type]) => (type === 'A' || type === 'AAAA') && names.includes(owner),
  )
}

function inZone(zone: string, records: readonly TextRecord[], { name, type }: DnsQuery): DnsReply {
  const isAuthoritative = true
  const found = atName(records, name)
  const authorities = at(records, zone, 'SOA')
  if (found === undefined) return { rcode: 'NXDOMAIN', isAuthoritative, authorities }
  const answers = found.filter((each) => each[1] === type || each[1] === 'CNAME')
  if (answers.length === 0) return { isAuthoritative, authorities }
  const additionals = type === 'NS' ? addressesOf(records, answers) : []
  return { isAuthoritative, answers, additionals }
}

/** The records at a name, also from a wildcard; empty for an empty non-terminal, undefined when the name does not exist. */
function atName(records: readonly TextRecord[], name: string): readonly TextRecord[] | undefined {
  const exact = at(records, name)
  if (exact.length > 0) return exact
  if (records.some(([owner]) => isAtOrBelow(owner, name))) return []
  const wildcard = at(records, `*.${parentOf(name)}`)
  return wildcard.length > 0 ? wildcard.map(([, type, data]) => [name, type, data]) : undefined
}
