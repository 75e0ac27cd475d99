import type { Knex } from 'knex'
import { DatabaseError } from 'pg'
import { dropCompetingLinks, dropLinks } from '../../credentials/mail-link.ts'
import { Refusal } from '../../domain/errors.ts'
import { digestOf } from '../../domain/secrets.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'

const linkInvalid = () => new Refusal('link-invalid', 'Invalid confirmation link')

interface ChangingAccount {
  readonly id: string
  readonly email: string
}

interface LinkRow {
  readonly id: string
  readonly purpose: 'change_email_old' | 'change_email_new'
  readonly email: string
  readonly expires_at: Date
  readonly is_used: boolean
  readonly is_given: boolean
}

/** The account of a link, locked: of two links that are opened at once, one waits for the other. */
async function lockAccount(trx: Knex.Transaction, digest: string): Promise<ChangingAccount> {
  const [account] = await query<ChangingAccount>(
    trx,
    `select u.id, u.email from users u
     where u.id = (select user_id from mail_links where token_digest = decode(?, 'hex'))
       and u.email_verified_at is not null and u.enabled and u.account_type <> 'disabled'
     for no key update`,
    [digest],
  )
  if (account === undefined) throw linkInvalid()
  return account
}

/**
 * Notes that one of the two addresses agrees. When both have, the account has the new one, and the
 * old one is told. Passwords that are remembered are worth nothing then, because they are remembered
 * by address; sessions go on.
 *
 * @returns whether the address is changed now
 * @throws Refusal `link-invalid`, `link-expired`
 */
export async function confirmEmailChange(services: Services, token: string): Promise<boolean> {
  const { knex, now } = services
  const digest = digestOf(token)
  try {
    return await knex.transaction(async (trx) => {
      const account = await lockAccount(trx, digest)
      const links = await query<LinkRow>(
        trx,
        `select id, purpose, email, expires_at, used_at is not null as is_used,
                token_digest = decode(?, 'hex') as is_given
         from mail_links where user_id = ? and purpose in ('change_email_old', 'change_email_new')`,
        [digest, account.id],
      )
      const given = links.find(({ is_given }) => is_given)
      const toOld = links.find(({ purpose }) => purpose === 'change_email_old')
      // The address was changed in another way meanwhile.
      const isCurrent = toOld?.email === account.email
      if (given === undefined || given.is_used || !isCurrent) throw linkInvalid()
      if (given.expires_at <= now()) {
        throw new Refusal('link-expired', 'This link has expired. Ask for the change again.')
      }
      await query(trx, 'update mail_links set used_at = ? where id = ?', [now(), given.id])
      const isWhole = links.length === 2 && links.every((link) => link.is_given || link.is_used)
      const toNew = links.find(({ purpose }) => purpose === 'change_email_new')
      if (!isWhole || toNew === undefined) return false
      await makeChange(services, trx, account, toNew.email)
      return true
    })
  } catch (error) {
    // Another account has verified the address first.
    if (error instanceof DatabaseError && error.constraint === 'users_email_key')
      throw linkInvalid()
    throw error
  }
}

async function makeChange(
  { now, jobs }: Services,
  trx: Knex.Transaction,
  { id: userId, email: to }: ChangingAccount,
  newEmail: string,
): Promise<void> {
  await dropCompetingLinks(trx, userId, newEmail)
  await query(
    trx,
    `update users set email = ?, email_verified_at = ?, credential_version = credential_version + 1
     where id = ?`,
    [newEmail, now(), userId],
  )
  for (const purpose of ['change_email_old', 'change_email_new', 'reset_password'] as const) {
    await dropLinks(trx, userId, purpose)
  }
  const at = now().toISOString()
  await jobs.enqueue(trx, 'mail', { kind: 'email-changed', userId, to, newEmail, at })
}
