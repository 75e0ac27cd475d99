import { nameKey } from '../names/index.ts'
import type { PlacedRRset } from '../wire/index.ts'

/** What tells RRsets of one message apart: a name has one of each type (RFC 2181 §5). */
export function rrsetKey({ owner, rrset }: PlacedRRset): string {
  return `${rrset.type} ${nameKey(owner)}`
}
