/** Sessions: 256 random bits, of which the database keeps the SHA-256. */
import type { Knex } from 'knex'
import { raw } from 'objection'
import { Refusal } from '../rules/errors.ts'
import { digestBytes, digestOf } from '../rules/secrets.ts'
import { Session } from '../models/session.ts'
import { NEXT_CREDENTIAL_VERSION, User } from '../models/user.ts'
import type { SessionPrincipal } from '../caller/principal.ts'
import { ACCOUNT_COLUMNS, type AccountRow } from './account-row.ts'
import { forgetNetworks } from './known-networks.ts'
import { type DigestRow, readByDigest } from './read-by-digest.ts'
import type { CredentialServices } from './services.ts'

const DAY_MS = 86_400_000
/** How long a session lives without use. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS
/** The maximum lifetime of a session, however often it is used. */
export const SESSION_LIMIT_DAYS = 90
/** Minimum interval between two recorded uses of a session, because each costs a write. */
const USE_NOTED_EVERY_MS = 3_600_000
/** Maximum number of sessions of an account; the oldest end when there are more. */
const SESSIONS_LIMIT = 100
const TOKEN_OCTETS = 32
/** How long the former token of a renewed session stays valid, for calls that are under way. */
const FORMER_TOKEN_MS = 30_000

export interface FoundSession {
  readonly id: string
  /** The digest of the token that the call came with. */
  readonly tokenDigest: string
  readonly account: AccountRow
  /** Whether the expiry was just extended, so that the cookie must be set again. */
  readonly isProlonged: boolean
  /** When the user last proved their identity; null for sessions from before this was recorded. */
  readonly confirmedAt: Date | null
}

interface SessionRow extends AccountRow, DigestRow {
  readonly session_id: string
  readonly last_used_at: Date
  readonly expires_at: Date
  readonly confirmed_at: Date | null
}

/** A token of the form that this service issues: 32 octets as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Whether a text has the form of a session token. */
export const looksLikeSession = (token: string) => TOKEN.test(token)

const readSession = readByDigest<SessionRow>(
  `select encode(s.token_digest, 'hex') as digest, s.id as session_id, s.last_used_at, s.expires_at, s.confirmed_at,
     ${ACCOUNT_COLUMNS}
   from unnest((select ?::bytea[])) as a(digest) join sessions s on s.token_digest = a.digest
   join users u on u.id = s.user_id join plans p on p.account_type = u.account_type`,
  'sessions',
)

const readFormer = readByDigest<SessionRow>(
  `select encode(s.former_digest, 'hex') as digest, s.id as session_id, s.last_used_at,
     least(s.former_until, s.expires_at) as expires_at, s.former_confirmed_at as confirmed_at, ${ACCOUNT_COLUMNS}
   from unnest((select ?::bytea[])) as a(digest) join sessions s on s.former_digest = a.digest
   join users u on u.id = s.user_id join plans p on p.account_type = u.account_type`,
  'former-sessions',
)

/** Finds the session of a token, with the current account and plan. */
export async function findSession(
  { knex, now }: Pick<CredentialServices, 'knex' | 'now'>,
  token: string,
): Promise<FoundSession | undefined> {
  if (!looksLikeSession(token)) return undefined
  const at = now()
  const tokenDigest = digestOf(token)
  const row = await readSession(knex, tokenDigest)
  if (row === undefined) {
    const former = await readFormer(knex, tokenDigest)
    if (former === undefined || former.expires_at <= at) return undefined
    return { ...foundBy(tokenDigest, former), isProlonged: false }
  }
  if (row.expires_at <= at) return undefined
  const isProlonged = at.getTime() - row.last_used_at.getTime() > USE_NOTED_EVERY_MS
  if (isProlonged) {
    const end = new Date(at.getTime() + SESSION_LIFETIME_MS)
    const limit = `created_at + interval '${SESSION_LIMIT_DAYS} days'`
    await Session.query(knex)
      .findById(row.session_id)
      .patch({ last_used_at: at, expires_at: raw(`least(?, ${limit})`, end) })
  }
  return { ...foundBy(tokenDigest, row), isProlonged }
}

function foundBy(tokenDigest: string, row: SessionRow): Omit<FoundSession, 'isProlonged'> {
  return { id: row.session_id, tokenDigest, account: row, confirmedAt: row.confirmed_at }
}

/** Begins a session. @returns its token, which cannot be read again, and when the session began */
export async function beginSession(
  { now, randomBytes }: Pick<CredentialServices, 'now' | 'randomBytes'>,
  trx: Knex.Transaction,
  session: { readonly userId: string; readonly ip: string; readonly userAgent: string | null },
): Promise<{ token: string; createdAt: Date }> {
  const token = randomBytes(TOKEN_OCTETS).toString('base64url')
  const at = now()
  await Session.query(trx).insert({
    user_id: session.userId,
    token_digest: digestBytes(token),
    created_at: at,
    last_used_at: at,
    expires_at: new Date(at.getTime() + SESSION_LIFETIME_MS),
    confirmed_at: at,
    ip: session.ip,
    user_agent: session.userAgent,
  })
  const lastUsed = Session.query(trx).select('id').modify('ownedBy', session.userId).modify('byUse')
  await Session.query(trx).delete().whereIn('id', lastUsed.offset(SESSIONS_LIMIT))
  return { token, createdAt: at }
}

/**
 * Records that the user of a session proved their identity again. The session gets a new token, as at
 * every sign-in. The former token stays valid for a moment, with the proof that it had, for calls that
 * are under way. So a copy of the former token does not get the new proof, and expires soon.
 *
 * @param renewing the session, with the digest of the token that the call came with
 * @returns the new token
 * @throws Refusal `conflict` when the session already has another token, or has ended
 */
export async function renewSession(
  { now, randomBytes }: Pick<CredentialServices, 'now' | 'randomBytes'>,
  trx: Knex.Transaction,
  { sessionId, tokenDigest }: Pick<SessionPrincipal, 'sessionId' | 'tokenDigest'>,
): Promise<string> {
  const token = randomBytes(TOKEN_OCTETS).toString('base64url')
  const at = now()
  const renewed = await Session.query(trx)
    .patch({
      former_digest: raw('token_digest'),
      former_until: new Date(at.getTime() + FORMER_TOKEN_MS),
      former_confirmed_at: raw('confirmed_at'),
      token_digest: digestBytes(token),
      confirmed_at: at,
    })
    .where({ id: sessionId, token_digest: Buffer.from(tokenDigest, 'hex') })
  if (renewed > 0) return token
  const detail = 'Another call confirmed your session, or your session has ended. Please try again.'
  throw new Refusal('conflict', detail)
}

export async function endSession(knex: Knex, sessionId: string): Promise<void> {
  await Session.query(knex).deleteById(sessionId)
}

/** Ends the session of a token, if it exists; a former token ends it too. */
export async function endSessionOf(
  { knex, now }: Pick<CredentialServices, 'knex' | 'now'>,
  token: string,
): Promise<void> {
  const session = await findSession({ knex, now }, token)
  if (session !== undefined) await endSession(knex, session.id)
}

/**
 * Requires that a session has not ended since its call began. For calls that create credentials: a call that
 * waited while the owner ended all sessions and revoked everything must not leave a new credential behind.
 *
 * @param trx with the account locked, as every transaction that ends sessions permanently locks it
 * @throws Refusal `unauthenticated`
 */
export async function requireLiveSession(
  trx: Knex.Transaction,
  { sessionId }: Pick<SessionPrincipal, 'sessionId'>,
): Promise<void> {
  const session = await Session.query(trx).findById(sessionId).select('id')
  if (session === undefined) {
    throw new Refusal('unauthenticated', 'Your session has ended. Please sign in again.')
  }
}

/** Ends all sessions of an account except one, and invalidates the former token of that one. */
export async function endSessionsBut(knex: Knex, userId: string, sessionId: string): Promise<void> {
  await Session.query(knex).delete().modify('ownedBy', userId).whereNot('id', sessionId)
  await Session.query(knex)
    .findById(sessionId)
    .patch({ former_digest: null, former_until: null, former_confirmed_at: null })
    .whereNotNull('former_digest')
}

/**
 * Ends all sessions of an account, invalidates remembered passwords (docs/design.md "Identity"), and forgets the
 * known networks of the account.
 *
 * @param callerIp the address of the owner, when the owner ends the sessions: that network stays known
 */
export async function endAllCredentials(
  trx: Knex.Transaction,
  userId: string,
  callerIp?: string,
): Promise<void> {
  await Session.query(trx).delete().modify('ownedBy', userId)
  await User.query(trx).findById(userId).patch({ credential_version: NEXT_CREDENTIAL_VERSION })
  await forgetNetworks(trx, userId, callerIp)
}
