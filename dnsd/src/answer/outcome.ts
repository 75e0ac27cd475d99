import type { Rcode } from '../wire/index.ts'
import type { Chain } from './chain.ts'

/** RFC 6604 §3: the code tells of the last name of a chain, not of the one that was asked. */
export function rcodeOf({ ending }: Chain): Rcode {
  if (ending.kind === 'nxdomain') return 'NXDOMAIN'
  if (ending.kind === 'name-too-long') return 'YXDOMAIN'
  return 'NOERROR'
}

/** RFC 1035 §4.1.1: AA speaks of the first owner name in the answer, or of the name asked. */
export function isAuthoritative({ answer, ending }: Chain): boolean {
  return ending.kind !== 'referral' || answer.length > 0
}
