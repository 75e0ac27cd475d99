/**
 * What a server of a zone says about a name below the zone: whether it delegates the name. Servers can lie. Only what a
 * server of that zone can know is taken from its answer: a delegation below the zone, and addresses of servers below the
 * zone (RFC 5452 §6).
 */
import type { DnsAnswer, DnsRecord } from '@homing/dnsd/client'
import { ipv6FromText, ipv6ToText } from '@homing/dnsd/names'
import { isAtOrBelow, nameInRecord, shownName } from './names.ts'

/** Addresses by the host name of a server. */
export type Glue = ReadonlyMap<string, readonly string[]>

export type Cut =
  /** `name` is delegated, or a name between the zone and it. */
  | {
      readonly kind: 'delegated'
      readonly owner: string
      readonly nameservers: readonly string[]
      readonly glue: Glue
      /** Whether the server answers for the delegated zone too, and therefore without a referral. */
      readonly isHeldHere: boolean
    }
  /** With authority: the name is not delegated. */
  | { readonly kind: 'not-delegated'; readonly words: string; readonly doesExist: boolean }
  /** The server does not answer for the zone. */
  | { readonly kind: 'lame'; readonly words: string }

/** More than any zone has. A longer list cannot be right, whatever its rest is. */
const NAMES_LIMIT = 32
const ADDRESSES_LIMIT = 8

/** An address in its canonical spelling. */
export const canonicalAddress = (address: string): string =>
  address.includes(':') ? ipv6ToText(ipv6FromText(address)) : address

/** @param zone of which the server should be; `name` is below it */
export function readCut(answer: DnsAnswer, zone: string, name: string): Cut {
  const { rcode, authoritative } = answer
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') {
    return { kind: 'lame', words: `answered ${shownName(rcode.toLowerCase()).toUpperCase()}` }
  }
  const held = serversIn(answer.answers, name)
  if (held.length > 0 && authoritative) return cutOf(answer, zone, name, held, true)
  if (authoritative && isAbout(answer, zone)) return absence(answer, name)
  const owner = referralOwner(answer, zone, name)
  if (owner !== undefined && rcode === 'NOERROR') {
    return cutOf(answer, zone, owner, serversIn(answer.authorities, owner), false)
  }
  return { kind: 'lame', words: lameness(answer, zone) }
}

/** Whether the negative answer, or the answer without a referral, can come from a server of the zone. */
function isAbout({ answers, authorities }: DnsAnswer, zone: string): boolean {
  const soa = authorities.find(({ type }) => type === 'SOA')
  if (soa !== undefined) return isAtOrBelow(nameInRecord(soa.name), zone)
  // Some servers set AA in a referral.
  return answers.length > 0 || !authorities.some(({ type }) => type === 'NS')
}

function absence({ answers, rcode }: DnsAnswer, name: string): Cut {
  const alias = answers.find(
    (record) => record.type === 'CNAME' && nameInRecord(record.name) === name,
  )
  if (alias?.type === 'CNAME') {
    const words = `has a CNAME record to ${shownName(nameInRecord(alias.data))} there instead`
    return { kind: 'not-delegated', words, doesExist: true }
  }
  return rcode === 'NXDOMAIN'
    ? { kind: 'not-delegated', words: 'answered that it does not exist', doesExist: false }
    : { kind: 'not-delegated', words: 'answered that it has no NS records', doesExist: true }
}

/** The delegated name: below the zone, and at or above `name`. */
function referralOwner({ authorities }: DnsAnswer, zone: string, name: string): string | undefined {
  const owners = authorities
    .filter(({ type }) => type === 'NS')
    .map((record) => nameInRecord(record.name))
  return owners.find(
    (owner) => owner !== zone && isAtOrBelow(owner, zone) && isAtOrBelow(name, owner),
  )
}

function lameness({ authoritative, authorities, answers }: DnsAnswer, zone: string): string {
  if (answers.length > 0 && !authoritative) return 'answered from a cache, not for the zone'
  const upward = authorities.some(
    (record) => record.type === 'NS' && isAtOrBelow(zone, nameInRecord(record.name)),
  )
  return upward ? 'referred to a zone above' : 'answered without authority'
}

function serversIn(records: readonly DnsRecord[], owner: string): string[] {
  const names = records.flatMap((record) =>
    record.type === 'NS' && nameInRecord(record.name) === owner ? [nameInRecord(record.data)] : [],
  )
  return [...new Set(names)].toSorted().slice(0, NAMES_LIMIT)
}

function cutOf(
  { additionals }: DnsAnswer,
  zone: string,
  owner: string,
  nameservers: readonly string[],
  isHeldHere: boolean,
): Cut {
  const glue = new Map<string, string[]>()
  const named = new Set(nameservers)
  for (const record of additionals) {
    if (record.type !== 'A' && record.type !== 'AAAA') continue
    const host = nameInRecord(record.name)
    if (!named.has(host) || !isAtOrBelow(host, zone)) continue
    const before = glue.get(host) ?? []
    const address = canonicalAddress(record.data)
    if (before.length < ADDRESSES_LIMIT && !before.includes(address)) {
      glue.set(host, [...before, address].toSorted())
    }
  }
  return { kind: 'delegated', owner, nameservers, glue, isHeldHere }
}
