/** Sets a new password by a link, which proves that the caller reads the account's mail. It does not sign the caller in. */
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
 * Finds the link of a token, if it can still set a password: it was not used, its account still has
 * the address that it was sent to, and the account may sign in.
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
 * The account whose password a link sets, and its other working credentials. The page that sets the password shows
 * them. That discloses nothing: its reader also reads the account's mail, which names each of these credentials when
 * it is created.
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

/** @throws Refusal `validation-failed` when the password is missing, or two different ones are given */
function newPasswordOf({ new_password: named, password: alias }: PasswordReset) {
  const given = named ?? alias
  if (given === undefined) throw invalid({ field: 'new_password', message: TEXTS.passwordMissing })
  if (alias !== undefined && alias !== given) {
    throw invalid({ field: 'password', message: TEXTS.passwordsDiffer })
  }
  return { password: given, field: named === undefined ? 'password' : 'new_password' }
}

/**
 * Revokes the credentials other than the password. A link by mail must not remove the second factor: an account that had
 * one still requires it, by its app or, if it had only passkeys, by a recovery code.
 *
 * @returns the credentials that worked before
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
 * Sets the password. All sessions and remembered passwords of the account end; with `revoke_credentials` all other
 * credentials end too. The owner is notified by mail. Of two calls with one link, one succeeds.
 *
 * @returns the credentials other than the password that still work
 * @throws Refusal `validation-failed`, `link-invalid`, `link-expired`
 */
export async function resetPassword(
  services: Services,
  reset: PasswordReset,
  { ip }: RequestSource,
): Promise<WorkingCredentials> {
  const { password, field } = newPasswordOf(reset)
  // Checked first, so that an invented token costs no hash; and again when the account is locked.
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
