/* The records of a transfer, in order. */
import type { Difference } from '../store/history.ts'
import type { PlacedRRset } from '../wire/index.ts'
import type { FrozenZone, RRset } from '../zone/index.ts'

/** A whole zone: the SOA first and last, everything else in between (RFC 5936 §2.2). */
export function* wholeZone(zone: FrozenZone): Generator<PlacedRRset> {
  const soa = { owner: zone.apex, rrset: zone.soa }
  yield soa
  for (const { owner, rrsets } of zone.owners()) {
    for (const rrset of rrsets ?? []) yield { owner, rrset }
  }
  yield soa
}

/**
 * Differences in the form of RFC 1995 §4: the present SOA; then for each step the old SOA, the removed
 * records, the new SOA and the added records; and the present SOA again.
 *
 * @param first of the differences, which was already read to check that there are any
 */
export async function* incremental(
  apex: Uint8Array,
  present: RRset,
  first: Difference,
  others: AsyncIterator<Difference>,
): AsyncGenerator<Iterable<PlacedRRset>> {
  const soa = { owner: apex, rrset: present }
  let current = first
  let isFirst = true
  for (;;) {
    // Read before the last difference is sent: the closing SOA belongs into the same message if it fits.
    const next = await others.next()
    const isLast = next.done === true
    yield stepRecords(apex, current, isFirst ? [soa] : [], isLast ? [soa] : [])
    if (isLast) return
    current = next.value
    isFirst = false
  }
}

function* stepRecords(
  apex: Uint8Array,
  { from, to, changes }: Difference,
  before: readonly PlacedRRset[],
  after: readonly PlacedRRset[],
): Generator<PlacedRRset> {
  yield* before
  yield { owner: apex, rrset: from }
  for (const { owner, before: old, rrsets } of changes) yield* missing(owner, old, rrsets)
  yield { owner: apex, rrset: to }
  for (const { owner, before: old, rrsets } of changes) yield* missing(owner, rrsets, old)
  yield* after
}

/**
 * The records of some RRsets that the others lack. A record with another TTL counts as a different record.
 */
function* missing(
  owner: Uint8Array,
  some: readonly RRset[] | null,
  others: readonly RRset[] | null,
): Generator<PlacedRRset> {
  for (const rrset of some ?? []) {
    const other = others?.find(({ type }) => type === rrset.type)
    const isSameTtl = other?.ttlSeconds === rrset.ttlSeconds
    const rdata = isSameTtl
      ? rrset.rdata.filter((one) => !other.rdata.some((each) => each.equals(one)))
      : rrset.rdata
    if (rdata.length > 0) yield { owner, rrset: { ...rrset, rdata } }
  }
}
