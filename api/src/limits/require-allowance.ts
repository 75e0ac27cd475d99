/** The rate limits of `rate-limits.ts` as refusals. */
import { Refusal } from '../rules/errors.ts'
import type { LimitName, RateLimits } from './rate-limits.ts'

/** The refusal of a call beyond a limit. */
export const tooMany = (retryAfterSeconds: number) =>
  new Refusal('rate-limited', 'Too many requests. Please wait before trying again.', {
    retryAfterSeconds,
  })

/** @param count how many to count @throws Refusal `rate-limited` when a limit is reached */
export async function requireAllowance(
  { rateLimits }: { readonly rateLimits: RateLimits },
  name: LimitName,
  key: string,
  count = 1,
): Promise<void> {
  const retryAfterSeconds = await rateLimits.take(name, key, 1, count)
  if (retryAfterSeconds !== undefined) throw tooMany(retryAfterSeconds)
}
