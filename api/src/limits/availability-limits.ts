/** The limits of checks whether a name is free. They prevent scanning: every check of every kind counts here. */
import { requireNetworkAllowance } from './network-limits.ts'
import type { RateLimits } from './rate-limits.ts'
import { requireAllowance } from './require-allowance.ts'

/**
 * Counts a check for the networks of the caller and, of a signed-in caller, for the account, which can use several
 * networks.
 *
 * @throws Refusal `rate-limited`
 */
export async function requireCheckAllowance(
  services: { readonly rateLimits: RateLimits },
  { ip, userId }: { readonly ip: string; readonly userId?: string },
): Promise<void> {
  await requireNetworkAllowance(services, 'availability-network', ip)
  if (userId !== undefined) await requireAllowance(services, 'availability-account', userId)
}
