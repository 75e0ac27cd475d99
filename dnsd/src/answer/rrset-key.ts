import { nameKey } from '../names/index.ts'
import type { PlacedRRset } from '../wire/index.ts'

/** The key of an RRset in a message: a name has one RRset of each type (RFC 2181 §5). */
export function rrsetKey({ owner, rrset }: PlacedRRset): string {
  return `${rrset.type} ${nameKey(owner)}`
}
