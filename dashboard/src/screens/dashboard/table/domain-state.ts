/** How the table shows whether DNS serves a domain. */
import { enumeration } from '@homing/theme/formats'
import type { IconName } from '@homing/theme/parts/Icon.tsx'
import type { Domain } from '../../../api/domains.ts'

export interface DomainState {
  readonly word: string
  readonly icon: IconName
  readonly tone: 'ok' | 'off' | 'warn' | 'error'
  /** Why DNS does not serve the domain. */
  readonly reason?: string
}

type Reason = Domain['withheld_by'][number]

/** The reasons of others. A pause is the owner's own. */
const REASONS: Readonly<Record<Exclude<Reason, 'paused'>, string>> = {
  locked: 'locked by an administrator',
  over_limit: 'over the limit of your plan',
  owner_blocked: 'your account is disabled',
}

type StateFields = Pick<
  Domain,
  'withheld_by' | 'is_active' | 'is_forwarded' | 'record_ipv4' | 'record_ipv6'
>

export function stateOf({
  withheld_by,
  is_active,
  is_forwarded,
  ...addresses
}: StateFields): DomainState {
  const reasons = withheld_by.flatMap((reason) => (reason === 'paused' ? [] : [REASONS[reason]]))
  if (reasons.length > 0) {
    return { word: 'Inactive', icon: 'failure', tone: 'error', reason: enumeration(reasons) }
  }
  if (withheld_by.includes('paused')) {
    return { word: 'Paused', icon: 'pause', tone: 'warn', reason: 'not in DNS' }
  }
  if (!is_active) return { word: 'Inactive', icon: 'failure', tone: 'error' }
  const hasNone = addresses.record_ipv4 === null && addresses.record_ipv6 === null
  if (hasNone && !is_forwarded) {
    return { word: 'No address', icon: 'info', tone: 'off' }
  }
  return { word: 'Active', icon: 'success', tone: 'ok' }
}
