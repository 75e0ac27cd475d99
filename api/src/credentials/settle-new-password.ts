import type { WorkingCredentials } from '@homing/openapi'
import type { Knex } from 'knex'
import { User } from '../models/user.ts'
import { dropLinks } from './mail-link.ts'
import { secondFactorsOf, isSecondFactorOn } from './second-factors.ts'
import { countWorkingCredentials } from './working-credentials.ts'
import type { CredentialServices } from './services.ts'

/** Links that a former holder of the password may have requested. */
const DEAD_LINKS = ['reset_password', 'change_email_old', 'change_email_new'] as const

/**
 * Applies the consequences of a new password: records its time, drops the links that set a password or an address, and notifies the owner
 * by mail, listing the credentials that still work and those that were revoked.
 *
 * @param trx with the account locked, the password set, and its credentials revoked where the owner asked for that
 * @param revoked the credentials that worked before, where the owner had all of them revoked
 * @returns the credentials that still work
 */
export async function settleNewPassword(
  { jobs, now }: Pick<CredentialServices, 'jobs' | 'now'>,
  trx: Knex.Transaction,
  userId: string,
  revoked: WorkingCredentials | undefined,
): Promise<WorkingCredentials> {
  for (const purpose of DEAD_LINKS) await dropLinks(trx, userId, purpose)
  const at = now()
  await User.query(trx).findById(userId).patch({ password_changed_at: at })
  const working = await countWorkingCredentials(trx, userId, at)
  const hasSecondFactor = isSecondFactorOn(await secondFactorsOf(trx, userId))
  await jobs.enqueue(trx, 'mail', {
    kind: 'password-changed',
    userId,
    at: at.toISOString(),
    working,
    hasSecondFactor,
    ...(revoked && { revoked }),
  })
  return working
}
