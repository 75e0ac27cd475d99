import type { Rcode } from '../wire/index.ts'
import type { Chain } from './chain.ts'

/** RFC 6604 §3: the RCODE is that of the last name of a chain, not of the QNAME. */
export function rcodeOf({ ending }: Chain): Rcode {
  if (ending.kind === 'nxdomain') return 'NXDOMAIN'
  if (ending.kind === 'name-too-long') return 'YXDOMAIN'
  return 'NOERROR'
}

/** RFC 1035 §4.1.1: AA is about the first owner name in the answer, or the QNAME. */
export function isAuthoritative({ answer, ending }: Chain): boolean {
  return ending.kind !== 'referral' || answer.length > 0
}
