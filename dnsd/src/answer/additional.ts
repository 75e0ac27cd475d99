/*
 * The additional section: the addresses of the names in an answer or a referral, so that clients
 * need not ask for them (RFC 1034 §4.3.2 step 6). It has only names of the same zone and no
 * wildcards. Clients ask for what is left out and then get a full answer.
 */
import { embeddedNames, isSubdomain, nameKey, TYPE } from '../names/index.ts'
import type { PlacedRRset } from '../wire/index.ts'
import type { ZoneReader } from '../zone/index.ts'
import { find } from './find.ts'
import { rrsetKey } from './rrset-key.ts'

const ADDRESS_TYPES: readonly number[] = [TYPE.A, TYPE.AAAA]

// For each type whose names need additional records, the types needed: NS (RFC 1035 §3.3.11), MX
// (§3.3.9), SRV (RFC 2782), NAPTR (RFC 3403 §4.2) and the service bindings (RFC 9460 §4.1).
const WANTED = new Map<number, readonly number[]>([
  [TYPE.NS, ADDRESS_TYPES],
  [TYPE.MX, ADDRESS_TYPES],
  [TYPE.SRV, ADDRESS_TYPES],
  [TYPE.NAPTR, [TYPE.SRV, ...ADDRESS_TYPES]],
  [TYPE.SVCB, [TYPE.SVCB, ...ADDRESS_TYPES]],
  [TYPE.HTTPS, [TYPE.HTTPS, ...ADDRESS_TYPES]],
])

export interface AdditionalSection {
  readonly glue: readonly PlacedRRset[]
  readonly additional: readonly PlacedRRset[]
}

/** The additional records of a positive answer. All of them are optional. */
export function additionalFor(answer: readonly PlacedRRset[], zone: ZoneReader): AdditionalSection {
  const additional = answer
    .flatMap((placed) => namedIn(placed).flatMap((name) => recordsAt(name, placed, zone)))
    .filter(firstOfEach(answer))
  return { glue: [], additional }
}

/**
 * The addresses of a referral's name servers. Addresses of servers below the cut itself are
 * mandatory, because resolvers cannot reach them otherwise. Addresses of other servers in the zone
 * are optional (RFC 9471 §3).
 */
export function referralAddresses(
  referral: readonly PlacedRRset[],
  zone: ZoneReader,
): AdditionalSection {
  const glue: PlacedRRset[] = []
  const additional: PlacedRRset[] = []
  const first = firstOfEach([])
  for (const placed of referral) {
    for (const name of namedIn(placed)) {
      const section = isSubdomain(name, placed.owner) ? glue : additional
      section.push(...recordsAt(name, placed, zone).filter(first))
    }
  }
  return { glue, additional }
}

/** The names in an RRset's RDATA that need additional records. */
function namedIn({ owner, rrset }: PlacedRRset): Uint8Array[] {
  if (!WANTED.has(rrset.type)) return []
  return rrset.rdata.flatMap((rdata) =>
    embeddedNames(rrset.type, rdata).map(({ offset, length }) => {
      const isServiceBinding = rrset.type === TYPE.SVCB || rrset.type === TYPE.HTTPS
      // RFC 9460 §2.5: a service binding with the target "." means its owner.
      return isServiceBinding && length === 1 ? owner : rdata.subarray(offset, offset + length)
    }),
  )
}

function recordsAt(name: Uint8Array, { rrset }: PlacedRRset, zone: ZoneReader): PlacedRRset[] {
  const key = nameKey(name)
  const node = zone.node(key)
  if (node === undefined) return []
  // Below a zone cut there is only glue, which is for name servers only.
  const hidden = rrset.type !== TYPE.NS && find(zone, key, TYPE.A).kind !== 'name'
  if (hidden) return []
  return (WANTED.get(rrset.type) ?? [])
    .map((type) => node.rrset(type))
    .filter((wanted) => wanted !== undefined)
    .map((wanted) => ({ owner: name, rrset: wanted }))
}

/**
 * Returns a filter that accepts each RRset once: two servers may have one name, and an answer may
 * contain its own address.
 */
function firstOfEach(present: readonly PlacedRRset[]): (placed: PlacedRRset) => boolean {
  const seen = new Set(present.map(rrsetKey))
  return (placed) => {
    const { size } = seen
    return seen.add(rrsetKey(placed)).size > size
  }
}
