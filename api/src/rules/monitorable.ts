/** Which domains can be monitored. */
import { domainLocked, Refusal } from './errors.ts'

/** The feature, in the words of users. */
export const UPTIME = 'Uptime monitoring'

/** @throws Refusal `conflict` for a wildcard, `domain-locked` */
export function requireMonitorable({
  fqdn,
  is_wildcard,
  locked,
}: {
  readonly fqdn: string
  readonly is_wildcard: boolean
  readonly locked: boolean
}): void {
  if (is_wildcard) {
    const base = fqdn.slice(2)
    throw new Refusal(
      'conflict',
      `${fqdn} is a wildcard and has no monitor of its own. Monitor ${base} instead.`,
    )
  }
  if (locked) throw domainLocked(fqdn, 'its monitor cannot be changed')
}
