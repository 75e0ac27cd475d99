import type { PasswordChange } from '@homing/openapi'
import { forgetNetworks } from '../../credentials/known-networks.ts'
import { dropLinks } from '../../credentials/mail-link.ts'
import { requireGoodPassword } from '../../credentials/new-password.ts'
import { requirePresentPassword, wrongPassword } from '../../credentials/present-password.ts'
import { endSessionsBut } from '../../credentials/session.ts'
import type { Origin } from '../../plugins/contract.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'

/** Links that somebody may have asked for who knew the old password. */
const DEAD_LINKS = ['reset_password', 'change_email_old', 'change_email_new'] as const

/**
 * Sets another password. All other sessions, links that set a password or an address, and remembered
 * passwords are worth nothing from then on, and the owner is told by mail.
 *
 * @throws Refusal `validation-failed`, `rate-limited`
 */
export async function changePassword(
  services: Services,
  { account, sessionId }: SessionPrincipal,
  { current_password: password, new_password: next }: PasswordChange,
  { ip }: Origin,
): Promise<void> {
  const field = 'current_password'
  const version = await requirePresentPassword(services, { account, password, ip, field })
  const wanted = { password: next, field: 'new_password', names: [account.username] }
  await requireGoodPassword(services.config, wanted)
  const passwordHash = await services.passwords.hash(next)
  await services.knex.transaction(async (trx) => {
    const changed = await query(
      trx,
      `update users set password_hash = ?, credential_version = credential_version + 1
       where id = ? and credential_version = ? returning id`,
      [passwordHash, account.id, version],
    )
    // It was changed elsewhere at this very moment.
    if (changed.length === 0) throw wrongPassword(field)
    await endSessionsBut(trx, account.id, sessionId)
    await forgetNetworks(trx, account.id, ip)
    for (const purpose of DEAD_LINKS) await dropLinks(trx, account.id, purpose)
    const at = services.now().toISOString()
    await services.jobs.enqueue(trx, 'mail', { kind: 'password-changed', userId: account.id, at })
  })
}
