import { Refusal } from '../../domain/errors.ts'
import type { LimitName } from '../../integrations/rate-limits.ts'
import type { Services } from '../../services.ts'
import { TEXTS } from './texts.ts'

export const tooMany = (retryAfterSeconds: number) =>
  new Refusal('rate-limited', TEXTS.tooMany, { retryAfterSeconds })

/** @throws Refusal `rate-limited` when a limit is used up */
export async function requireAllowance(
  { rateLimits }: Pick<Services, 'rateLimits'>,
  name: LimitName,
  key: string,
): Promise<void> {
  const retryAfterSeconds = await rateLimits.take(name, key)
  if (retryAfterSeconds !== undefined) throw tooMany(retryAfterSeconds)
}
