/**
 * The services that credentials use. The services of a request include them, so that credentials do not depend on how
 * services are composed.
 */
import type { Knex } from 'knex'
import type { Captcha } from '../integrations/captcha.ts'
import type { CountryOf } from '../integrations/network-origins.ts'
import type { InvalidSecrets } from '../limits/invalid-secrets.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { Log } from '../process/log.ts'
import type { JobQueue } from '../queue/job-queue.ts'
import type { SecretKeys } from '../rules/derived-key.ts'
import type { LoginHistory } from './login-history.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { PasswordMemory } from './password-memory.ts'
import type { SecretUses } from './secret-uses.ts'

/** What requests and jobs use alike. */
export interface SharedServices {
  readonly knex: Knex
  readonly log: Log
  readonly jobs: JobQueue
  /** The present time. */
  readonly now: () => Date
  /** Cryptographically strong random octets. */
  readonly randomBytes: (count: number) => Buffer
}

export interface CredentialServices extends SharedServices {
  readonly config: SecretKeys & { readonly productName: string }
  readonly passwords: PasswordHasher
  /** Passwords verified in the last minutes. */
  readonly passwordMemory: PasswordMemory
  /** The history of sign-ins and attempts. */
  readonly loginHistory: LoginHistory
  /** When keys and tokens were last used. */
  readonly secretUses: SecretUses
  /** Counts invalid keys and tokens by network. */
  readonly invalidSecrets: InvalidSecrets
  readonly rateLimits: RateLimits
  /** Undefined when the configuration has no CAPTCHA. */
  readonly captcha: Captcha | undefined
  readonly countryOf: CountryOf
  /** Called in the transaction of a sign-in that cancels the deletion of the account, which it locks. */
  readonly accountReturned: (trx: Knex.Transaction, userId: string, at: Date) => Promise<void>
}
