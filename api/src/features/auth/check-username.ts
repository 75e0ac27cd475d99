import { USERNAME_PATTERN, type UsernameAvailability } from '@homing/openapi'
import { requireCheckAllowance } from '../../limits/availability-limits.ts'
import { User } from '../../models/user.ts'
import { isReservedUsername } from '../../rules/reserved-usernames.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { Services } from '../../compose.ts'

const VALID = new RegExp(USERNAME_PATTERN)
/** Looked up in place of a text that cannot be a name. */
const NO_NAME = '-'

/**
 * Whether a user name is available for registration. Every response takes one look-up, so its time reveals nothing. A
 * reserved name gets the same response as a taken name.
 *
 * @throws Refusal `rate-limited`
 */
export async function checkUsername(
  services: Services,
  username: string,
  { ip }: RequestSource,
): Promise<UsernameAvailability> {
  await requireCheckAllowance(services, { ip })
  const isValid = VALID.test(username)
  const owner = await User.query(services.knex)
    .whereRaw('lower(username) = lower(?)', isValid ? username : NO_NAME)
    .select('id')
    .first()
  if (!isValid) return { available: false, reason: 'invalid' }
  const isTaken = owner !== undefined || isReservedUsername(username)
  return isTaken ? { available: false, reason: 'taken' } : { available: true, reason: null }
}
