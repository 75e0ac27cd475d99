/** Decides whether an account may forward a domain to a target, and examines the target. */
import { hostOf, parseTarget, targetRefused, type TargetRules } from '../../rules/forward-target.ts'
import { lookalikesOf } from '../../rules/lookalike-targets.ts'
import type { Knex } from 'knex'
import { isBlocked } from '../../feed/blocked-targets.ts'
import { holdBlockedTargets } from '../../feed/lock-order.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { offeredZones } from '../../models/zone.ts'
import type { Services } from '../../compose.ts'
import { checkPlaces } from './check-places.ts'
import { type Examined, examineTarget } from './check-target.ts'
import type { CheckedTarget } from '../../feed/forward-circle.ts'

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

/**
 * The stored form of a target that the account may use.
 *
 * @throws Refusal `target-not-allowed`
 */
export async function allowedTarget(services: Services, text: string): Promise<URL> {
  const target = parseTarget(text, await rulesOf(services))
  await requireUnblocked(services.knex, [target])
  return target
}

/** @throws Refusal `target-not-allowed` */
async function requireUnblocked(db: Knex, urls: readonly URL[]): Promise<void> {
  if (await isBlocked(db, urls)) {
    throw targetRefused('An administrator blocked this target. Please contact support.')
  }
}

/**
 * Refuses a forward that is about to be written if its target was blocked while it was examined. Until the transaction
 * ends, no target can be blocked.
 *
 * @param urls the target and its redirects
 * @throws Refusal `target-not-allowed`
 */
export async function requireStillUnblocked(
  trx: Knex.Transaction,
  urls: readonly URL[],
): Promise<void> {
  if (urls.length === 0) return
  await holdBlockedTargets(trx)
  await requireUnblocked(trx, urls)
}

/**
 * Refuses a target that redirects to one that is not allowed itself: a redirect would hide it.
 *
 * @param urls its redirects
 * @throws Refusal `target-not-allowed`
 */
async function requireAllowedRedirects(services: Services, urls: readonly URL[]) {
  const isLookalike = lookalikesOf(services.config.protectedWords)
  const lookalike = urls.map(hostOf).find(isLookalike)
  if (lookalike !== undefined) {
    throw targetRefused(
      `The target redirects to ${lookalike}, which imitates a protected name. Use another target.`,
    )
  }
  if (await isBlocked(services.knex, urls)) {
    throw targetRefused(
      'The target redirects to a URL that an administrator blocked. Please contact support.',
    )
  }
}

/**
 * Examines a target, within the limits of the account.
 *
 * @throws Refusal `rate-limited`, `unavailable`, and `target-not-allowed` for a target that redirects to one that is not allowed
 */
export async function examined(
  services: Services,
  userId: string,
  checked: CheckedTarget,
): Promise<Examined> {
  await requireAllowance(services, 'forward-checks-account', userId)
  using _place = checkPlaces.take(services.knex, userId)
  const found = await examineTarget(services, checked)
  await requireAllowedRedirects(services, found.urls.slice(1))
  return found
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
