/**
 * The token between a right password and a session when a second factor is required: 256 random bits,
 * single use, valid for ten minutes and for the version of the credentials for which the password was
 * right.
 */
import type { Knex } from 'knex'
import { Refusal } from '../rules/errors.ts'
import { digestBytes, digestOf } from '../rules/secrets.ts'
import { LoginToken } from '../models/login-token.ts'
import { query } from '../database/sql.ts'
import type { ProvenAccount } from './complete-sign-in.ts'
import type { CredentialServices } from './services.ts'

const LIFETIME_MS = 10 * 60_000
const TOKEN_OCTETS = 32
/** Maximum number of tokens of an account; the oldest are deleted when there are more. */
const TOKENS_LIMIT = 20

export const signInExpired = () =>
  new Refusal(
    'sign-in-expired',
    'This sign-in has expired or was already completed. Please sign in again.',
  )

export interface NewLoginToken {
  /** It is returned only once. */
  readonly token: string
  readonly expiresAt: Date
}

// The account may have been deleted since its password was checked. Then nothing is inserted.
const MAKE = `
  with made as (
    insert into login_tokens (user_id, token_digest, credential_version, created_at, expires_at)
    select id, decode(?, 'hex'), ?::integer, ?::timestamptz, ?::timestamptz
    from users where id = ? for key share
    returning user_id)
  delete from login_tokens where id in (
    select l.id from login_tokens l join made m on m.user_id = l.user_id
    order by l.id desc offset ?)`

/** Creates a token for an account whose password was right. */
export async function makeLoginToken(
  { knex, now, randomBytes }: Pick<CredentialServices, 'knex' | 'now' | 'randomBytes'>,
  { userId, credentialVersion }: ProvenAccount,
): Promise<NewLoginToken> {
  const token = randomBytes(TOKEN_OCTETS).toString('base64url')
  const at = now()
  const expiresAt = new Date(at.getTime() + LIFETIME_MS)
  const values = [digestOf(token), credentialVersion, at, expiresAt, userId, TOKENS_LIMIT - 1]
  await query(knex, MAKE, values)
  return { token, expiresAt }
}

/**
 * Finds the sign-in that a token belongs to, without using the token up.
 *
 * @throws Refusal `sign-in-expired`
 */
export async function findLoginToken(
  { knex, now }: Pick<CredentialServices, 'knex' | 'now'>,
  token: string,
): Promise<ProvenAccount> {
  const found = await LoginToken.query(knex)
    .joinRelated('account')
    .select('login_tokens.user_id', 'login_tokens.credential_version')
    .where('login_tokens.token_digest', digestBytes(token))
    .whereColumn('account.credential_version', 'login_tokens.credential_version')
    .modify('current', now())
    .first()
  if (found === undefined) throw signInExpired()
  return { userId: found.user_id, credentialVersion: found.credential_version }
}

/**
 * Uses a token up. Of several concurrent calls, one succeeds.
 *
 * @param trx in which the session begins
 * @throws Refusal `sign-in-expired`
 */
export async function useLoginToken(
  { now }: Pick<CredentialServices, 'now'>,
  trx: Knex.Transaction,
  token: string,
): Promise<void> {
  const used = await LoginToken.query(trx)
    .delete()
    .where('token_digest', digestBytes(token))
    .modify('current', now())
  if (used === 0) throw signInExpired()
}
