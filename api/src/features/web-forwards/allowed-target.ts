/** Decides whether an account may forward a domain to a target, and examines the target. */
import { Refusal } from '../../rules/errors.ts'
import {
  blockedFormOf,
  parseTarget,
  targetRefused,
  type TargetRules,
} from '../../rules/forward-target.ts'
import { lookalikesOf } from '../../rules/lookalike-targets.ts'
import { query } from '../../database/sql.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { offeredZones } from '../../models/zone.ts'
import type { Services } from '../../compose.ts'
import { type Examined, examineTarget } from './check-target.ts'

/** A host of the configuration in its form for comparison. */
const plainHost = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')

async function rulesOf({ config, knex }: Services): Promise<TargetRules> {
  const { publicUrl, allowedHosts, nameservers, dnsHosts, forwardHost, forwardAddresses, host } =
    config
  const servers = nameservers.flatMap(({ hostname, ipv4, ipv6 }) => [hostname, ipv4, ipv6 ?? ipv4])
  const own = [publicUrl.hostname, ...allowedHosts, ...servers, ...dnsHosts]
  const zones = await offeredZones(knex)
  return {
    origin: publicUrl.origin,
    ownHosts: [...own, forwardHost, ...forwardAddresses, host].map(plainHost),
    zones: new Set(zones.map(({ name }) => name)),
    allowsPrivate: config.allowsPrivateTargets,
    isLookalike: lookalikesOf(config.protectedWords),
  }
}

/** @throws Refusal `target-not-allowed` for a target that an administrator blocked with a forward */
async function requireUnblocked({ knex }: Services, target: URL): Promise<void> {
  const blocked = await query(
    knex,
    `select 1 from web_forwards
     where disabled_at is not null and split_part(split_part(target_url, ?, 1), ?, 1) = ? limit 1`,
    ['#', '?', blockedFormOf(target)],
  )
  if (blocked.length === 0) return
  throw targetRefused('An administrator blocked this target. Please contact support.')
}

/**
 * The stored form of a target that the account may use.
 *
 * @throws Refusal `target-not-allowed`
 */
export async function allowedTarget(services: Services, text: string): Promise<URL> {
  const target = parseTarget(text, await rulesOf(services))
  await requireUnblocked(services, target)
  return target
}

/**
 * Examines a target, within the account's rate limit.
 *
 * @throws Refusal `rate-limited`
 */
export async function examined(
  services: Services,
  userId: string,
  checked: { readonly target: URL; readonly fqdn: string },
): Promise<Examined> {
  await requireAllowance(services, 'forward-checks-account', userId)
  return examineTarget(services, checked)
}

/**
 * Refuses a target that visitors must not be sent to. A target that only does not work now can be saved.
 *
 * @throws Refusal `target-not-allowed`
 */
export function requireOutward({ result: { finding, message } }: Examined): void {
  const isInward = finding === 'leads-back' || finding === 'private-address'
  if (isInward) throw targetRefused(message)
}

/** The refusal of a forward that an administrator disabled. */
export const forwardDisabled = (fqdn: string, reason: string) =>
  new Refusal(
    'forward-disabled',
    `An administrator disabled the web forward of ${fqdn}: ${reason.replace(/[.\s]*$/, '')}. Please contact support.`,
  )
