/** What follows a registration by mail: decided by jobs, out of sight of whoever registers. */
import type { Knex } from 'knex'
import { linkToken } from '../../credentials/mail-link.ts'
import { digestOf } from '../../domain/secrets.ts'
import { query } from '../../sql.ts'
import type { Services } from '../../services.ts'

/** How long a link that verifies an address works. */
const LINK_LIFETIME_MS = 86_400_000

interface WaitingAccount {
  readonly id: string
  readonly username: string
  readonly email: string
}

/** Makes the link and puts its mail in line. Older links of the account are dead from the commit on. */
async function sendLink(
  { config, jobs, now, randomBytes }: Services,
  trx: Knex.Transaction,
  { id, email }: WaitingAccount,
): Promise<void> {
  const seed = randomBytes(32).toString('base64url')
  const at = now()
  await query(trx, `delete from mail_links where user_id = ? and purpose = 'verify_email'`, [id])
  const [link] = await query<{ id: string }>(
    trx,
    `insert into mail_links (user_id, purpose, email, token_digest, created_at, expires_at)
     values (?, 'verify_email', ?, decode(?, 'hex'), ?, ?) returning id`,
    [
      id,
      email,
      digestOf(linkToken(config.secretKey, seed)),
      at,
      new Date(at.getTime() + LINK_LIFETIME_MS),
    ],
  )
  if (link === undefined) throw new Error('an inserted link has an id')
  await jobs.enqueue(trx, 'mail', { kind: 'verify-email', linkId: link.id, seed })
}

/** The account that has the address verified. */
async function ownerOf(trx: Knex.Transaction, email: string): Promise<string | undefined> {
  const [owner] = await query<{ id: string }>(
    trx,
    'select id from users where lower(email) = lower(?) and email_verified_at is not null',
    [email],
  )
  return owner?.id
}

/** Sends the link of a new account, or tells the owner of its address that somebody tried. */
export async function settleRegistration(
  services: Services,
  { userId, mayNotify }: { readonly userId: string; readonly mayNotify: boolean },
): Promise<void> {
  await services.knex.transaction(async (trx) => {
    const [account] = await query<WaitingAccount>(
      trx,
      `select id, username, email from users
       where id = ? and email_verified_at is null for no key update`,
      [userId],
    )
    if (account === undefined) return
    const owner = await ownerOf(trx, account.email)
    if (owner === undefined) return sendLink(services, trx, account)
    if (!mayNotify) return
    await services.jobs.enqueue(trx, 'mail', { kind: 'address-in-use', userId: owner })
  })
}

/** Sends a new link to the newest account that claims the address, unless the address is somebody's. */
export async function settleResend(
  services: Services,
  { email }: { readonly email: string },
): Promise<void> {
  await services.knex.transaction(async (trx) => {
    if ((await ownerOf(trx, email)) !== undefined) return
    const [account] = await query<WaitingAccount>(
      trx,
      `select id, username, email from users
       where lower(email) = lower(?) and email_verified_at is null
       order by id desc limit 1 for no key update`,
      [email],
    )
    if (account !== undefined) await sendLink(services, trx, account)
  })
}
