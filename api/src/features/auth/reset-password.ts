/** A new password by a link, which proves that the caller reads the account's mail. It signs nobody in. */
import type { PasswordReset, ResetSubject, WorkingCredentials } from '@homing/openapi'
import type { Knex } from 'knex'
import { lockAccountOfLink } from '../../credentials/mail-link.ts'
import { requireGoodPassword } from '../../credentials/new-password.ts'
import { endAllCredentials } from '../../credentials/session.ts'
import { settleNewPassword } from '../../credentials/settle-new-password.ts'
import {
  countWorkingCredentials,
  revokeCredentials,
} from '../../credentials/working-credentials.ts'
import { invalid, Refusal } from '../../rules/errors.ts'
import { digestBytes } from '../../rules/secrets.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import { MailLink } from '../../models/mail-link.ts'
import { User } from '../../models/user.ts'
import type { Services } from '../../compose.ts'
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
async function findResetLink(
  { knex, now }: { readonly knex: Knex; readonly now: () => Date },
  token: string,
): Promise<ResetLink> {
  const [link] = await MailLink.query(knex)
    .joinRelated('account(verified, notBlocked)')
    .where('mail_links.token_digest', digestBytes(token))
    .where('mail_links.purpose', 'reset_password')
    .modify('unused')
    .whereColumn('account.email', 'mail_links.email')
    .select('mail_links.user_id', 'mail_links.expires_at', 'account.username')
    .toKnexQuery<ResetLink>()
  if (link === undefined) throw new Refusal('link-invalid', TEXTS.resetLinkInvalid)
  if (link.expires_at <= now()) throw new Refusal('link-expired', TEXTS.resetLinkExpired)
  return link
}

/**
 * Whose password a link sets, and which credentials beside it work. The answer is for the page that sets the password:
 * its reader reads the account's mail too, which names each of these credentials when it is made.
 *
 * @throws Refusal `link-invalid`, `link-expired`
 */
export async function readResetSubject(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  token: string,
): Promise<ResetSubject> {
  const { user_id: userId, username } = await findResetLink({ knex, now }, token)
  return { username, working_credentials: await countWorkingCredentials(knex, userId, now()) }
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
 * Revokes the credentials beside the password. A link by mail is no second factor and must not take one away: an account
 * that had one goes on asking for it, by its app or, where it had passkeys alone, by a recovery code.
 *
 * @returns what worked before
 */
async function revoke(
  { now }: Pick<Services, 'now'>,
  trx: Knex.Transaction,
  userId: string,
): Promise<WorkingCredentials> {
  const before = await countWorkingCredentials(trx, userId, now())
  await revokeCredentials(trx, userId)
  return before
}

/**
 * Sets the password. Every session and remembered password of the account ends, with `revoke_credentials` every other
 * credential too, and its owner is told by mail. Of two calls with one link one succeeds.
 *
 * @returns the credentials beside the password that still work
 * @throws Refusal `validation-failed`, `link-invalid`, `link-expired`
 */
export async function resetPassword(
  services: Services,
  reset: PasswordReset,
  { ip }: RequestSource,
): Promise<WorkingCredentials> {
  const { password, field } = newPasswordOf(reset)
  // Looked at first, so that a made-up token costs no hash; and once more when the account is locked.
  const { username } = await findResetLink(services, reset.token)
  await requireGoodPassword(services.config, { password, field, names: [username] })
  const passwordHash = await services.passwords.hash(password)
  return services.knex.transaction(async (trx) => {
    await lockAccountOfLink(trx, reset.token)
    const { user_id: userId } = await findResetLink({ knex: trx, now: services.now }, reset.token)
    await User.query(trx).findById(userId).patch({ password_hash: passwordHash })
    await endAllCredentials(trx, userId, ip)
    const revoked =
      reset.revoke_credentials === true ? await revoke(services, trx, userId) : undefined
    return settleNewPassword(services, trx, userId, revoked)
  })
}
