/** The state of a domain in words: what DNS does with it, and why. */
import type { Domain } from '../../../api/domains.ts'

export type Reason = Domain['withheld_by'][number]

/** The most important reason first: the one that the owner cannot change. */
const RANK = [
  'locked',
  'owner_blocked',
  'over_limit',
  'paused',
] as const satisfies readonly Reason[]

/** Why DNS does not serve a domain; empty if it does. */
export const reasonsOf = ({ withheld_by }: Pick<Domain, 'withheld_by'>): readonly Reason[] =>
  RANK.filter((reason) => withheld_by.includes(reason))

export type DomainStatus = Reason | 'active' | 'no-address'

/** The state that the page shows first. An active domain without an address has no answer in DNS, unless it is forwarded. */
export function statusOf(domain: Domain): DomainStatus {
  const [reason] = reasonsOf(domain)
  if (reason !== undefined) return reason
  if (domain.is_forwarded) return 'active'
  return domain.record_ipv4 === null && domain.record_ipv6 === null ? 'no-address' : 'active'
}

export const STATUS_TITLES: Readonly<Record<DomainStatus, string>> = {
  active: 'Active',
  'no-address': 'No address',
  locked: 'Locked',
  owner_blocked: 'Account disabled',
  over_limit: 'Over the limit',
  paused: 'Paused',
}
