/** How long data is kept, from the constants of the code that deletes it, so that the privacy policy is true. */
import type { RetentionDays } from '@homing/openapi/site'
import { KNOWN_NETWORK_DAYS } from '../credentials/known-networks.ts'
import { LOGINS_KEPT_DAYS } from '../credentials/login-history.ts'
import { UNVERIFIED_LIFETIME_MS } from '../credentials/registration-secret.ts'
import { SESSION_LIFETIME_MS, SESSION_LIMIT_DAYS } from '../credentials/session.ts'
import { GRACE_DAYS } from '../features/account/delete-account.ts'
import { HISTORY_RETENTION_DAYS } from '../feed/partition-schedules.ts'
import { EXPIRED_LINK_KEPT_MS } from '../jobs/expire.ts'
import { RESERVATION_DAYS } from '../rules/name-reservations.ts'
import { CALLS_KEPT_DAYS } from '../rules/update-calls.ts'

const DAY_MS = 86_400_000

export const RETENTION: RetentionDays = {
  session: SESSION_LIFETIME_MS / DAY_MS,
  sessionLimit: SESSION_LIMIT_DAYS,
  unverifiedAccount: UNVERIFIED_LIFETIME_MS / DAY_MS,
  signIns: LOGINS_KEPT_DAYS,
  knownNetworks: KNOWN_NETWORK_DAYS,
  updateCalls: CALLS_KEPT_DAYS,
  history: HISTORY_RETENTION_DAYS,
  usedLinks: EXPIRED_LINK_KEPT_MS / DAY_MS,
  accountGrace: GRACE_DAYS,
  nameReservation: RESERVATION_DAYS,
}
