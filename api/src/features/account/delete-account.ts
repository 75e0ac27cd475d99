import { requirePresentPassword, wrongPassword } from '../../credentials/present-password.ts'
import { endAllCredentials } from '../../credentials/session.ts'
import { Refusal } from '../../rules/errors.ts'
import { User } from '../../models/user.ts'
import { settleRenewal } from '../../payments/account-renewal.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { CallerAccount } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'

/** How long the owner can cancel the deletion, in days. */
export const GRACE_DAYS = 14
const DAY_MS = 86_400_000

/**
 * Schedules the deletion of the account, and ends all its sessions. Until then domains are still
 * served and updated, a subscription does not renew, and signing in cancels the deletion. The owner is notified by mail.
 *
 * @returns when the account will be deleted
 * @throws Refusal `validation-failed`, `rate-limited`; `conflict` for administrators
 */
export async function deleteAccount(
  services: Services,
  account: CallerAccount,
  password: string,
  { ip }: RequestSource,
): Promise<Date> {
  if (account.accountType === 'admin') {
    throw new Refusal(
      'conflict',
      'The account of an administrator cannot be deleted. Another administrator must remove the administrator role first.',
    )
  }
  const field = 'password'
  const version = await requirePresentPassword(services, { account, password, ip, field })
  const dueAt = new Date(services.now().getTime() + GRACE_DAYS * DAY_MS)
  await services.knex.transaction(async (trx) => {
    const marked = await User.query(trx)
      .patch({ deletion_due_at: dueAt })
      .where({ id: account.id, credential_version: version })
      .whereNot('account_type', 'admin')
    if (marked === 0) throw wrongPassword(field)
    await endAllCredentials(trx, account.id, ip)
    await settleRenewal(trx, services, account.id, services.now())
    const job = { userId: account.id, dueAt: dueAt.toISOString() }
    await services.jobs.enqueue(trx, 'mail', { kind: 'account-deletion', ...job })
  })
  return dueAt
}
