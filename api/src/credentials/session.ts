/** Sessions: 256 random bits, of which the database keeps the SHA-256. */
import type { Knex } from 'knex'
import { digestOf } from '../domain/secrets.ts'
import { query } from '../sql.ts'
import type { Services } from '../services.ts'
import { ACCOUNT_COLUMNS, type AccountRow } from './account-row.ts'
import { type DigestRow, readByDigest } from './read-by-digest.ts'

const DAY_MS = 86_400_000
/** How long a session lives that nobody uses. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS
/** How long a session lives at most, however often it is used. */
const SESSION_LIMIT_DAYS = 90
/** Use is noted once in so long, since every note is a write. */
const USE_NOTED_EVERY_MS = 3_600_000
/** Most sessions of an account; the oldest end when there are more. */
const SESSIONS_LIMIT = 100
const TOKEN_OCTETS = 32

export interface FoundSession {
  readonly id: string
  readonly account: AccountRow
  /** Whether its end was just moved, so that a cookie has to follow. */
  readonly isProlonged: boolean
  /** When its person last proved who they are; null: before that was noted. */
  readonly confirmedAt: Date | null
}

interface SessionRow extends AccountRow, DigestRow {
  readonly session_id: string
  readonly last_used_at: Date
  readonly expires_at: Date
  readonly confirmed_at: Date | null
}

/** A token that this service may have given: 32 octets as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Whether a text has the form of a session's token. */
export const looksLikeSession = (token: string) => TOKEN.test(token)

const readSession = readByDigest<SessionRow>(
  `select encode(s.token_digest, 'hex') as digest, s.id as session_id, s.last_used_at, s.expires_at, s.confirmed_at,
     ${ACCOUNT_COLUMNS}
   from unnest((select ?::bytea[])) as a(digest) join sessions s on s.token_digest = a.digest
   join users u on u.id = s.user_id join plans p on p.account_type = u.account_type`,
  'sessions',
)

/** The session of a token, with its account and plan as they are now. */
export async function findSession(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  token: string,
): Promise<FoundSession | undefined> {
  if (!looksLikeSession(token)) return undefined
  const at = now()
  const row = await readSession(knex, digestOf(token))
  if (row === undefined || row.expires_at <= at) return undefined
  const isProlonged = at.getTime() - row.last_used_at.getTime() > USE_NOTED_EVERY_MS
  if (isProlonged) {
    await query(
      knex,
      `update sessions set last_used_at = ?,
              expires_at = least(?, created_at + interval '${SESSION_LIMIT_DAYS} days')
       where id = ?`,
      [at, new Date(at.getTime() + SESSION_LIFETIME_MS), row.session_id],
    )
  }
  return { id: row.session_id, account: row, isProlonged, confirmedAt: row.confirmed_at }
}

/** Begins a session. @returns its token, which nobody can read again, and when it began */
export async function beginSession(
  { now, randomBytes }: Pick<Services, 'now' | 'randomBytes'>,
  trx: Knex.Transaction,
  session: { readonly userId: string; readonly ip: string; readonly userAgent: string | null },
): Promise<{ token: string; createdAt: Date }> {
  const token = randomBytes(TOKEN_OCTETS).toString('base64url')
  const at = now()
  await query(
    trx,
    `insert into sessions (user_id, token_digest, created_at, last_used_at, expires_at, confirmed_at, ip, user_agent)
     values (?, decode(?, 'hex'), ?, ?, ?, ?, ?, ?)`,
    [
      session.userId,
      digestOf(token),
      at,
      at,
      new Date(at.getTime() + SESSION_LIFETIME_MS),
      at,
      session.ip,
      session.userAgent,
    ],
  )
  await query(
    trx,
    `delete from sessions where id in (
       select id from sessions where user_id = ? order by last_used_at desc, id desc offset ?)`,
    [session.userId, SESSIONS_LIMIT],
  )
  return { token, createdAt: at }
}

/**
 * Notes that the person of a session proved once more who they are. The session gets another token, as
 * at every sign-in: one that somebody copied before ends here.
 *
 * @returns the new token; undefined when the session has ended
 */
export async function renewSession(
  { now, randomBytes }: Pick<Services, 'now' | 'randomBytes'>,
  trx: Knex.Transaction,
  sessionId: string,
): Promise<string | undefined> {
  const token = randomBytes(TOKEN_OCTETS).toString('base64url')
  const renewed = await query(
    trx,
    `update sessions set token_digest = decode(?, 'hex'), confirmed_at = ? where id = ? returning 1`,
    [digestOf(token), now(), sessionId],
  )
  return renewed.length === 0 ? undefined : token
}

export async function endSession(knex: Knex, sessionId: string): Promise<void> {
  await query(knex, 'delete from sessions where id = ?', [sessionId])
}

/** Ends the session of a token, if it is one. */
export async function endSessionOf(knex: Knex, token: string): Promise<void> {
  if (!looksLikeSession(token)) return
  await query(knex, `delete from sessions where token_digest = decode(?, 'hex')`, [digestOf(token)])
}

/** Ends all sessions of an account but one. */
export async function endSessionsBut(knex: Knex, userId: string, sessionId: string): Promise<void> {
  await query(knex, 'delete from sessions where user_id = ? and id <> ?', [userId, sessionId])
}

/** Ends all sessions of an account and makes remembered passwords worthless (docs/design.md "Identity"). */
export async function endAllCredentials(trx: Knex.Transaction, userId: string): Promise<void> {
  await query(trx, 'delete from sessions where user_id = ?', [userId])
  await query(trx, 'update users set credential_version = credential_version + 1 where id = ?', [
    userId,
  ])
}
