/*
 * The answer section: the records of the question, found directly or through CNAME and DNAME
 * records.
 *
 * Each hop looks up one name and either ends the chain or gives the next name. A chain stays in its
 * first zone. The resolver asks for names elsewhere itself, even in another zone of this server,
 * because it would not trust them in this answer (RFC 2181 §5.4.1).
 */
import { NAME_LIMIT_OCTETS, nameKey, TYPE } from '../names/index.ts'
import type { PlacedRRset } from '../wire/index.ts'
import type { RRset, ServedZones, ZoneNode, ZoneReader } from '../zone/index.ts'
import { find } from './find.ts'
import type { Query } from './query.ts'
import { rrsetKey } from './rrset-key.ts'

/** How a chain ended, which decides the RCODE and the authority section. */
export type Ending =
  | { readonly kind: 'data' | 'nodata' | 'nxdomain' }
  | { readonly kind: 'referral'; readonly cut: ZoneNode }
  /** The chain leaves the zone, returns to an earlier name, or exceeds the hop limit. */
  | { readonly kind: 'unfinished' }
  /** A DNAME made a name of more than 255 octets (RFC 6672 §2.2). */
  | { readonly kind: 'name-too-long' }
  /** The name is not in the zone, and the zone is incomplete. */
  | { readonly kind: 'unknown' }

export interface Chain {
  readonly answer: readonly PlacedRRset[]
  readonly ending: Ending
  /** How many leading octets of the QNAME a wildcard matched. */
  readonly inventedOctets: number
}

/** The result of a hop: the records it adds, and the end or the next name. */
interface Hop {
  readonly placed: readonly PlacedRRset[]
  readonly ending?: Ending
  readonly next?: Uint8Array
  readonly inventedOctets?: number
}

// Resolvers follow 8 to 16 hops before they give up. They continue a longer chain from its end.
const MAX_HOPS = 16

/**
 * Follows the chain from the question until it finds records, a negative result, or leaves the
 * zone.
 *
 * @param key `nameKey` of the QNAME
 * @param zone the zone that answers
 */
export function followChain(
  { qname, qtype }: Query,
  key: string,
  zone: ZoneReader,
  zones: ServedZones,
): Chain {
  const answer: PlacedRRset[] = []
  const present = new Set<string>()
  const visited = new Set<string>()
  let at = { name: qname as Uint8Array, key }
  let inventedOctets = 0
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    visited.add(at.key)
    const hop = hopFrom(zone, at.name, at.key, qtype)
    if (hops === 0) inventedOctets = hop.inventedOctets ?? 0
    for (const placed of hop.placed) {
      // One DNAME may redirect two hops, but it is one record.
      const key = rrsetKey(placed)
      const isRepeated = placed.rrset.type === TYPE.DNAME && present.has(key)
      if (!isRepeated) answer.push(placed)
      present.add(key)
    }
    if (hop.next === undefined) {
      return { answer, ending: hop.ending ?? { kind: 'data' }, inventedOctets }
    }
    at = { name: hop.next, key: nameKey(hop.next) }
    if (visited.has(at.key) || zones.answering(at.key, qtype) !== zone) break
  }
  return { answer, ending: { kind: 'unfinished' }, inventedOctets }
}

function hopFrom(zone: ZoneReader, name: Uint8Array, key: string, type: number): Hop {
  const found = find(zone, key, type)
  // A wildcard applies to names that do not exist, which an incomplete zone cannot know.
  const isInZone = found.kind !== 'absent' && found.kind !== 'wildcard'
  if (!isInZone && zone.isIncomplete) return { placed: [], ending: { kind: 'unknown' } }
  if (found.kind === 'absent') return { placed: [], ending: { kind: 'nxdomain' } }
  if (found.kind === 'delegation') {
    return { placed: [], ending: { kind: 'referral', cut: found.cut } }
  }
  if (found.kind === 'redirection') return redirect(found.source, name, type)
  // RFC 4592 §3.3.1: records that a wildcard synthesises have the QNAME as owner.
  const hop = hopAt(found.node, name, type)
  return found.kind === 'name' ? hop : { ...hop, inventedOctets: found.inventedOctets }
}

/** RFC 1034 §4.3.2 step 3a. */
function hopAt(node: ZoneNode, owner: Uint8Array, type: number): Hop {
  const rrset = type === TYPE.ANY ? smallestRRset(node) : node.rrset(type)
  if (rrset !== undefined) return { placed: [{ owner, rrset }] }
  const alias = node.rrset(TYPE.CNAME)
  const target = alias?.rdata[0]
  if (alias === undefined || target === undefined || type === TYPE.ANY) {
    return { placed: [], ending: { kind: 'nodata' } }
  }
  return { placed: [{ owner, rrset: alias }], next: target }
}

/**
 * RFC 8482 §4.1: one RRset is enough for an ANY question. The smallest one is the least useful to
 * attackers with forged addresses. It is the same each time, also over TCP.
 */
function smallestRRset(node: ZoneNode): RRset | undefined {
  const octetsOf = ({ rdata }: RRset) => rdata.reduce((sum, one) => sum + 12 + one.length, 0)
  return node.rrsets.reduce<RRset | undefined>(
    (smallest, rrset) =>
      smallest === undefined || octetsOf(rrset) < octetsOf(smallest) ? rrset : smallest,
    undefined,
  )
}

/**
 * RFC 6672 §3.2 step 3C: the DNAME, and for resolvers that do not support it the synthesised CNAME
 * with the same TTL (§3.1).
 */
function redirect(source: ZoneNode, name: Uint8Array, type: number): Hop {
  const dname = source.rrset(TYPE.DNAME)
  const target = dname?.rdata[0]
  if (source.state === undefined || dname === undefined || target === undefined) {
    throw new Error('a name that redirects has no DNAME')
  }
  const { owner } = source.state
  const placed = [{ owner, rrset: dname }]
  const next = Buffer.concat([name.subarray(0, name.length - owner.length), target])
  if (next.length > NAME_LIMIT_OCTETS) return { placed, ending: { kind: 'name-too-long' } }
  const alias: RRset = { type: TYPE.CNAME, ttlSeconds: dname.ttlSeconds, rdata: [next] }
  const both = [...placed, { owner: name, rrset: alias }]
  // A question for CNAME ends here, as with a published CNAME.
  return type === TYPE.CNAME || type === TYPE.ANY ? { placed: both } : { placed: both, next }
}
