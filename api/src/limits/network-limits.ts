/**
 * Limits of the networks that an address is in: each counts a call, and one that is used up refuses it. Which networks count, and
 * how much more a larger one is allowed, is `countedNetworks`.
 */
import { countedNetworks } from '../rules/networks.ts'
import { tooMany } from './require-allowance.ts'
import type { LimitName, RateLimits } from './rate-limits.ts'

/** Limits whose figure is that of a household: an IPv4 address or an IPv6 /64. */
export type NetworkLimitName = Extract<
  LimitName,
  `${'captcha' | 'forgot' | 'passkey' | 'password' | 'resend'}-network`
>

/**
 * Counts one more for each network of an address, the smallest first: a /64 that has used up its allowance takes nothing from the
 * others of the /48. Where a network refuses, the smaller ones get theirs back.
 *
 * @returns undefined when it may happen, else the seconds until it may again
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

/** Takes back for each network of an address what turned out not to count. */
export async function giveBackForNetworks(
  rateLimits: RateLimits,
  name: NetworkLimitName,
  ip: string,
): Promise<void> {
  for (const { network } of countedNetworks(ip)) await rateLimits.giveBack(name, network)
}

/**
 * Whether this process has seen a network of an address refused already. It counts nothing and asks nobody.
 *
 * @returns the seconds until it may happen again; undefined when that has to be asked
 */
export function networksRefusedFor(
  rateLimits: RateLimits,
  name: NetworkLimitName,
  ip: string,
): number | undefined {
  const waits = countedNetworks(ip).map(({ network }) => rateLimits.refusedFor(name, network) ?? 0)
  return Math.max(...waits) || undefined
}

/** Whether a network of an address has reached a count. @param count of a household; larger networks have their factor of it */
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

/** As `takeForNetworks`. @throws Refusal `rate-limited` when a network has used its limit up */
export async function requireNetworkAllowance(
  { rateLimits }: { readonly rateLimits: RateLimits },
  name: NetworkLimitName,
  ip: string,
): Promise<void> {
  const retryAfterSeconds = await takeForNetworks(rateLimits, name, ip)
  if (retryAfterSeconds !== undefined) throw tooMany(retryAfterSeconds)
}
