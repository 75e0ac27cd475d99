import { TYPE } from '../names/index.ts'
import type { ZoneNode, ZoneReader } from '../zone/index.ts'

/** The result of looking a name up in a zone. */
export type Found =
  /** The zone is authoritative for the name, with or without records. */
  | { readonly kind: 'name'; readonly node: ZoneNode }
  /**
   * The name does not exist, and this node is its source of synthesis (RFC 4592 §3.3.1).
   * `inventedOctets` are the name's octets before those of the closest encloser.
   */
  | { readonly kind: 'wildcard'; readonly node: ZoneNode; readonly inventedOctets: number }
  /** The name is at or below a zone cut, so other servers are authoritative for it. */
  | { readonly kind: 'delegation'; readonly cut: ZoneNode }
  /** It is below a name with a DNAME. */
  | { readonly kind: 'redirection'; readonly source: ZoneNode }
  | { readonly kind: 'absent' }

// The key of a wildcard is this label before the key of its closest encloser.
const ASTERISK_LABEL = '\u0001*'

/**
 * Looks a name up as in RFC 1034 §4.3.2 step 3, with the wildcards of RFC 4592 §3.3 and the DNAMEs of
 * RFC 6672 §3.2.
 *
 * @param key of a name in the zone
 */
export function find(zone: ZoneReader, key: string, type: number): Found {
  const { node, key: encloserKey, exact } = zone.closestEncloser(key)
  const barrier = highestBarrier(node, exact, type)
  if (barrier !== undefined) return barrier
  if (exact) return { kind: 'name', node }
  // RFC 4592 §2.2.2: an existing name, even without records, stops the wildcards above it. Hence only
  // the wildcard of the closest encloser applies. NS and DNAME records of a wildcard are plain data,
  // because delegating or redirecting with them is undefined (§4.2, §4.4).
  const wildcard = zone.node(ASTERISK_LABEL + encloserKey)
  if (wildcard === undefined) return { kind: 'absent' }
  return { kind: 'wildcard', node: wildcard, inventedOctets: key.length - encloserKey.length }
}

/**
 * The zone cut or redirection nearest to the apex, which hides everything below it. DS is the one type
 * that belongs above the cut of its own name (RFC 4035 §3.1.4.1).
 */
function highestBarrier(from: ZoneNode, exact: boolean, type: number): Found | undefined {
  let highest: Found | undefined
  let isNameItself = exact
  for (let node: ZoneNode | undefined = from; node !== undefined; node = node.parent) {
    if (node.delegates && !(isNameItself && type === TYPE.DS)) {
      highest = { kind: 'delegation', cut: node }
    } else if (node.redirects && !isNameItself) {
      highest = { kind: 'redirection', source: node }
    }
    isNameItself = false
  }
  return highest
}
