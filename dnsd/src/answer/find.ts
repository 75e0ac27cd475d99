import { TYPE } from '../names/index.ts'
import type { ZoneNode, ZoneReader } from '../zone/index.ts'

/** What stands in a zone where a name is looked for. */
export type Found =
  /** The name exists here with authority, with records or without. */
  | { readonly kind: 'name'; readonly node: ZoneNode }
  /**
   * It does not, and this node is the source of its synthesis (RFC 4592 §3.3.1), for so many octets of
   * it that are not those of the closest encloser.
   */
  | { readonly kind: 'wildcard'; readonly node: ZoneNode; readonly inventedOctets: number }
  /** It is at or below a zone cut: others answer for it. */
  | { readonly kind: 'delegation'; readonly cut: ZoneNode }
  /** It is below a name with a DNAME. */
  | { readonly kind: 'redirection'; readonly source: ZoneNode }
  | { readonly kind: 'absent' }

// The key of a wildcard is this label before the key of its closest encloser.
const ASTERISK_LABEL = '\u0001*'

/**
 * Looks for a name as RFC 1034 §4.3.2 step 3 does, with the wildcards of RFC 4592 §3.3 and the
 * DNAMEs of RFC 6672 §3.2.
 *
 * @param key of a name in the zone
 */
export function find(zone: ZoneReader, key: string, type: number): Found {
  const { node, key: encloserKey, exact } = zone.closestEncloser(key)
  const barrier = highestBarrier(node, exact, type)
  if (barrier !== undefined) return barrier
  if (exact) return { kind: 'name', node }
  // RFC 4592 §2.2.2: an existing name, even without records, stops the wildcards above it. Hence
  // the wildcard of the closest encloser is the only one there is to look at. NS and DNAME records
  // of a wildcard are data like others: what they would delegate or redirect is not defined (§4.2,
  // §4.4).
  const wildcard = zone.node(ASTERISK_LABEL + encloserKey)
  if (wildcard === undefined) return { kind: 'absent' }
  return { kind: 'wildcard', node: wildcard, inventedOctets: key.length - encloserKey.length }
}

/**
 * The cut or redirection nearest to the apex, which hides whatever is below it. DS is the one type
 * that has its place above the cut of its own name (RFC 4035 §3.1.4.1).
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
