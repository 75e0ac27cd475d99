/**
 * Limits for the networks of an address. A call counts for each of them, and is refused when one limit is used up.
 * `countedNetworks` says which networks count, and how much more a larger one is allowed.
 */
import { countedNetworks } from '../rules/networks.ts'
import { tooMany } from './require-allowance.ts'
import type { LimitName, RateLimits } from './rate-limits.ts'

/** Limits whose number applies to a household: an IPv4 address or an IPv6 /64. */
export type NetworkLimitName = Extract<
  LimitName,
  `${'availability' | 'captcha' | 'forgot' | 'passkey' | 'password' | 'resend'}-network`
>

/**
 * Counts one more for each network of an address, the smallest first, so that a /64 that is over its limit takes nothing from the
 * others in its /48. When a network refuses, the smaller ones are refunded.
 *
 * @returns undefined when the call is allowed, else the seconds until a retry
 */
export async function takeForNetworks(
  rateLimits: RateLimits,
  name: NetworkLimitName,
  ip: string,
): Promise<number | undefined> {
  const taken: string[] = []
  for (const { network, factor } of countedNetworks(ip)) {
    const retryAfterSeconds = await rateLimits.take(name, network, factor)
    if (retryAfterSeconds !== undefined) {
      for (const smaller of taken) await rateLimits.giveBack(name, smaller)
      return retryAfterSeconds
    }
    taken.push(network)
  }
  return undefined
}

/** Refunds a call that turned out not to count, for each network of an address. */
export async function giveBackForNetworks(
  rateLimits: RateLimits,
  name: NetworkLimitName,
  ip: string,
): Promise<void> {
  for (const { network } of countedNetworks(ip)) await rateLimits.giveBack(name, network)
}

/**
 * Whether a network of an address is over its limit, as far as this process knows. It counts nothing and
 * queries nothing.
 *
 * @returns the seconds until a retry; undefined when the database must be queried
 */
export function networksRefusedFor(
  rateLimits: RateLimits,
  name: NetworkLimitName,
  ip: string,
): number | undefined {
  const waits = countedNetworks(ip).map(({ network }) => rateLimits.refusedFor(name, network) ?? 0)
  return Math.max(...waits) || undefined
}

/** Whether a network of an address has reached a count. @param count for a household; larger networks have a multiple of it */
export async function hasNetworkReached(
  rateLimits: RateLimits,
  name: NetworkLimitName,
  { ip, count }: { readonly ip: string; readonly count: number },
): Promise<boolean> {
  const reached = countedNetworks(ip).map(
    async ({ network, factor }) => (await rateLimits.countOf(name, network)) >= count * factor,
  )
  return (await Promise.all(reached)).includes(true)
}

/** As `takeForNetworks`. @throws Refusal `rate-limited` when a network is over its limit */
export async function requireNetworkAllowance(
  { rateLimits }: { readonly rateLimits: RateLimits },
  name: NetworkLimitName,
  ip: string,
): Promise<void> {
  const retryAfterSeconds = await takeForNetworks(rateLimits, name, ip)
  if (retryAfterSeconds !== undefined) throw tooMany(retryAfterSeconds)
}
