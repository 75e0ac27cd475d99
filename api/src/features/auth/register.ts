import type { NewAccount, RegisteredAccount } from '@homing/openapi'
import { DatabaseError } from 'pg'
import { invalid, Refusal } from '../../domain/errors.ts'
import { networkOf } from '../../domain/networks.ts'
import { isReservedUsername } from '../../domain/reserved-usernames.ts'
import { query } from '../../sql.ts'
import type { Origin } from '../../plugins/contract.ts'
import type { Services } from '../../services.ts'
import { requireAllowance } from '../../integrations/allowance.ts'
import { TEXTS } from './texts.ts'

/** Households behind one provider's IPv4 address share it; a /24 is one network of somebody who rents many. */
const IPV4_PREFIX = 24

const usernameTaken = () =>
  new Refusal('username-taken', TEXTS.usernameTaken, {
    faults: [{ field: 'username', message: TEXTS.usernameTaken }],
  })

/**
 * Opens an account that waits for its address to be verified.
 *
 * An address that is somebody's already is claimed in the same way: the answer, the work and what the
 * account can do are the same, so nobody learns of it. What is mailed to whom is decided by a job.
 *
 * @throws Refusal `validation-failed`, `username-taken`, `rate-limited`
 */
export async function register(
  services: Services,
  account: NewAccount,
  { ip }: Origin,
): Promise<RegisteredAccount> {
  if (account.terms === false) throw invalid({ field: 'terms', message: TEXTS.termsRefused })
  await requireAllowance(services, 'register-network', networkOf(ip, IPV4_PREFIX))
  if (isReservedUsername(account.username)) throw usernameTaken()
  const passwordHash = await services.passwords.hash(account.password)
  const cc = await services.countryOf(ip)
  const mayNotify = (await services.rateLimits.take('notice-address', account.email)) === undefined
  try {
    await services.knex.transaction(async (trx) => {
      const [user] = await query<{ id: string }>(
        trx,
        `insert into users (username, email, password_hash, given_name, surname, created_at, account_create_cc)
         values (?, ?, ?, ?, ?, ?, ?) returning id`,
        [
          account.username,
          account.email,
          passwordHash,
          account.given_name || null,
          account.surname || null,
          services.now(),
          cc,
        ],
      )
      if (user === undefined) throw new Error('an inserted account has an id')
      await services.jobs.enqueue(trx, 'registration', { userId: user.id, mayNotify })
    })
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === 'users_username_key') {
      throw usernameTaken()
    }
    throw error
  }
  return { message: TEXTS.registered, username: account.username, email: account.email }
}
