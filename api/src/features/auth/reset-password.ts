/** A new password by a link. It proves that whoever sets it reads the account's mail; it signs nobody in. */
import type { PasswordReset } from '@homing/openapi'
import type { Knex } from 'knex'
import { dropLinks, lockAccountOfLink } from '../../credentials/mail-link.ts'
import { requireGoodPassword } from '../../credentials/new-password.ts'
import { endAllCredentials } from '../../credentials/session.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { digestOf } from '../../domain/secrets.ts'
import type { Origin } from '../../plugins/contract.ts'
import { query } from '../../sql.ts'
import type { Services } from '../../services.ts'
import { TEXTS } from './texts.ts'

interface ResetLink {
  readonly user_id: string
  readonly username: string
  readonly expires_at: Date
}

/**
 * The link of a token, if it may still set a password: it was not used, its account has the address
 * that it was sent to and may sign in.
 *
 * @throws Refusal `link-invalid`, `link-expired`
 */
export async function findResetLink(
  { knex, now }: { readonly knex: Knex; readonly now: () => Date },
  token: string,
): Promise<ResetLink> {
  const [link] = await query<ResetLink>(
    knex,
    `select l.user_id, u.username, l.expires_at from mail_links l join users u on u.id = l.user_id
     where l.token_digest = decode(?, 'hex') and l.purpose = 'reset_password' and l.used_at is null
       and u.email = l.email and u.email_verified_at is not null
       and u.enabled and u.account_type <> 'disabled'`,
    [digestOf(token)],
  )
  if (link === undefined) throw new Refusal('link-invalid', TEXTS.resetLinkInvalid)
  if (link.expires_at <= now()) throw new Refusal('link-expired', TEXTS.resetLinkExpired)
  return link
}

/** @throws Refusal `validation-failed` when there is none, or there are two that differ */
function newPasswordOf({ new_password: named, password: alias }: PasswordReset) {
  const given = named ?? alias
  if (given === undefined) throw invalid({ field: 'new_password', message: TEXTS.passwordMissing })
  if (alias !== undefined && alias !== given) {
    throw invalid({ field: 'password', message: TEXTS.passwordsDiffer })
  }
  return { password: given, field: named === undefined ? 'password' : 'new_password' }
}

/**
 * Sets the password. Every session and remembered password of the account ends, and its owner is
 * told by mail. Of two calls with one link one succeeds.
 *
 * @throws Refusal `validation-failed`, `link-invalid`, `link-expired`
 */
export async function resetPassword(
  services: Services,
  reset: PasswordReset,
  { ip }: Origin,
): Promise<void> {
  const { password, field } = newPasswordOf(reset)
  // Looked at first, so that a made-up token costs no hash; and once more when the account is locked.
  const { username } = await findResetLink(services, reset.token)
  await requireGoodPassword(services.config, { password, field, names: [username] })
  const passwordHash = await services.passwords.hash(password)
  await services.knex.transaction(async (trx) => {
    await lockAccountOfLink(trx, reset.token)
    const { user_id: userId } = await findResetLink({ knex: trx, now: services.now }, reset.token)
    await query(trx, 'update users set password_hash = ? where id = ?', [passwordHash, userId])
    await endAllCredentials(trx, userId, ip)
    for (const purpose of ['reset_password', 'change_email_old', 'change_email_new'] as const) {
      await dropLinks(trx, userId, purpose)
    }
    const at = services.now().toISOString()
    await services.jobs.enqueue(trx, 'mail', { kind: 'password-changed', userId, at })
  })
}
