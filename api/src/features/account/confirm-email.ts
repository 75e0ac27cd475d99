import type { Knex } from 'knex'
import { DatabaseError } from 'pg'
import { dropCompetingLinks, dropLinks, lockAccountOfLink } from '../../credentials/mail-link.ts'
import { Refusal } from '../../rules/errors.ts'
import { isBlocked } from '../../rules/plans.ts'
import { digestBytes } from '../../rules/secrets.ts'
import { MailLink } from '../../models/mail-link.ts'
import { NEXT_CREDENTIAL_VERSION, User } from '../../models/user.ts'
import type { Services } from '../../compose.ts'

const linkInvalid = () => new Refusal('link-invalid', 'Invalid confirmation link')

/** Locks the account of a link: of two links that are opened at once, one waits for the other. */
async function lockAccount(trx: Knex.Transaction, token: string): Promise<User> {
  const account = await lockAccountOfLink(trx, token)
  if (account === undefined || account.email_verified_at === null || isBlocked(account)) {
    throw linkInvalid()
  }
  return account
}

/**
 * Records that one of the two addresses has confirmed. When both have, the account gets the new
 * address, and the old address is notified. Remembered passwords become invalid then, because they
 * are stored by address; sessions continue.
 *
 * @returns whether the address is changed now
 * @throws Refusal `link-invalid`, `link-expired`
 */
export async function confirmEmailChange(services: Services, token: string): Promise<boolean> {
  const { knex, now } = services
  const digest = digestBytes(token)
  try {
    return await knex.transaction(async (trx) => {
      const account = await lockAccount(trx, token)
      const links = await MailLink.query(trx)
        .modify('ownedBy', account.id)
        .whereIn('purpose', ['change_email_old', 'change_email_new'])
      const given = links.find(({ token_digest }) => token_digest.equals(digest))
      const toOld = links.find(({ purpose }) => purpose === 'change_email_old')
      // The address was changed in another way meanwhile.
      const isCurrent = toOld?.email === account.email
      if (given === undefined || given.used_at !== null || !isCurrent) throw linkInvalid()
      if (given.expires_at <= now()) {
        throw new Refusal('link-expired', 'This link has expired. Please request the change again.')
      }
      await given.$query(trx).patch({ used_at: now() })
      const isWhole =
        links.length === 2 && links.every((link) => link === given || link.used_at !== null)
      const toNew = links.find(({ purpose }) => purpose === 'change_email_new')
      if (!isWhole || toNew === undefined) return false
      await makeChange(services, trx, account, toNew.email)
      return true
    })
  } catch (error) {
    // Another account verified the address first.
    if (error instanceof DatabaseError && error.constraint === 'users_email_key')
      throw linkInvalid()
    throw error
  }
}

async function makeChange(
  { now, jobs }: Services,
  trx: Knex.Transaction,
  { id: userId, email: to }: Pick<User, 'id' | 'email'>,
  newEmail: string,
): Promise<void> {
  await dropCompetingLinks(trx, userId, newEmail)
  await User.query(trx).findById(userId).patch({
    email: newEmail,
    email_verified_at: now(),
    email_changed_at: now(),
    credential_version: NEXT_CREDENTIAL_VERSION,
  })
  for (const purpose of ['change_email_old', 'change_email_new', 'reset_password'] as const) {
    await dropLinks(trx, userId, purpose)
  }
  const at = now().toISOString()
  await jobs.enqueue(trx, 'mail', { kind: 'email-changed', userId, to, newEmail, at })
}
