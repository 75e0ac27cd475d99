/** Links sent by mail: single use, expiring, and stored only as SHA-256. */
import { createHmac } from 'node:crypto'
import type { Knex } from 'knex'
import { readingKeys, type SecretKeys } from '../rules/derived-key.ts'
import { digestBytes, digestOf } from '../rules/secrets.ts'
import { type LinkPurpose, MailLink } from '../models/mail-link.ts'
import { User } from '../models/user.ts'
import { query } from '../database/sql.ts'
import type { CredentialServices } from './services.ts'

/**
 * The token of a link sent by mail: 256 bits. It is derived from the service's secret key and
 * random bits in the payload of the mail's job, so neither the database nor its jobs reveal a link,
 * and a mail that is sent again contains the same link. The database stores the token's SHA-256.
 *
 * @param seed 256 random bits as text
 */
function linkToken(secretKey: Buffer, seed: string): string {
  return createHmac('sha256', secretKey).update(`mail link ${seed}`).digest('base64url')
}

/**
 * The token of a link that was created earlier, possibly with the key that is being replaced.
 *
 * @param digest the stored digest of the token, in hexadecimal
 * @throws Error when neither key gives that token: another process may have the key, so the job is retried
 */
export function tokenOfLink(keys: SecretKeys, seed: string, digest: string): string {
  const token = readingKeys(keys)
    .map((key) => linkToken(key, seed))
    .find((candidate) => digestOf(candidate) === digest)
  if (token !== undefined) return token
  throw new Error('the key of a mail link is neither SECRET_KEY nor SECRET_KEY_PREVIOUS')
}

export interface NewLink {
  readonly userId: string
  readonly purpose: LinkPurpose
  /** The recipient. The link becomes invalid when the account's address changes. */
  readonly email: string
  readonly lifetimeMs: number
}

/**
 * Creates a link. Older links of the account for the same purpose become invalid on commit. The
 * caller must have locked the account's row.
 *
 * @returns the payload of the job that mails it
 */
export async function makeLink(
  { config, now, randomBytes }: Pick<CredentialServices, 'config' | 'now' | 'randomBytes'>,
  trx: Knex.Transaction,
  { userId, purpose, email, lifetimeMs }: NewLink,
): Promise<{ readonly linkId: string; readonly seed: string }> {
  const seed = randomBytes(32).toString('base64url')
  const at = now()
  await dropLinks(trx, userId, purpose)
  const link = await MailLink.query(trx).insert({
    user_id: userId,
    purpose,
    email,
    token_digest: digestBytes(linkToken(config.secretKey, seed)),
    created_at: at,
    expires_at: new Date(at.getTime() + lifetimeMs),
  })
  return { linkId: link.id, seed }
}

/**
 * Locks the account of a link. Every transaction that creates, uses or drops links locks the account
 * before its links, so that two of them wait for each other and never deadlock. Read the link
 * afterwards.
 */
export async function lockAccountOfLink(
  trx: Knex.Transaction,
  token: string,
): Promise<User | undefined> {
  const link = MailLink.query(trx).select('user_id').where('token_digest', digestBytes(token))
  return User.query(trx).whereIn('id', link).forNoKeyUpdate().first()
}

const LOCK_CLAIMANTS = `
  select 1 from users where id in (
    select user_id from mail_links where token_digest = decode(?, 'hex')
    union
    select u.id from mail_links l join users u on lower(u.email) = lower(l.email)
    where l.token_digest = decode(?, 'hex'))
  order by id for no key update`

/**
 * Locks the account of a link that verifies an address, and all other accounts that claim the address, in the order
 * of their ids. Of two transactions that verify one address at the same time, one waits for the other, and so does a
 * job that mails another link for it.
 */
export async function lockClaimants(trx: Knex.Transaction, token: string): Promise<void> {
  const digest = digestOf(token)
  await query(trx, LOCK_CLAIMANTS, [digest, digest])
}

const DROP_COMPETING = `
  delete from mail_links where id in (
    select id from mail_links
    where lower(email) = lower(?) and purpose = 'verify_email' and user_id <> ?
    order by id for update)`

/**
 * Invalidates the links with which other accounts would verify an address. Call it before the address is verified for
 * `userId`: a concurrent call that verifies it for another account has locked its link and waits for this account's
 * row.
 *
 * Only the links are deleted. The accounts stay and get the same responses as before, so nobody learns that the
 * address has an owner now (decision 0030).
 */
export async function dropCompetingLinks(
  trx: Knex.Transaction,
  userId: string,
  email: string,
): Promise<void> {
  await query(trx, DROP_COMPETING, [email, userId])
}

/** Invalidates the links of an account for one purpose. */
export async function dropLinks(
  trx: Knex.Transaction,
  userId: string,
  purpose: LinkPurpose,
): Promise<void> {
  await MailLink.query(trx).delete().modify('ownedBy', userId).where('purpose', purpose)
}
