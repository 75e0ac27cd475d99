/**
 * What authenticators are asked to sign: 256 random bits, of which the database keeps the SHA-256. Each is
 * for one purpose and one caller, for five minutes, and is taken before anything that was signed is looked
 * at: of many answers to one challenge, one is read.
 */
import type { Knex } from 'knex'
import { Refusal } from '../../domain/errors.ts'
import { digestOf } from '../../domain/secrets.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'

/** How long a person has, in milliseconds. */
export const CHALLENGE_LIFETIME_MS = 300_000

/** What a challenge is for, and who has to bring it back. */
export type ChallengeUse =
  | { readonly purpose: 'register' | 'confirm'; readonly sessionId: string }
  /** Whoever has the token that stands for a right password. */
  | { readonly purpose: 'second_factor'; readonly loginToken: string }
  /** Nobody is known yet. */
  | { readonly purpose: 'sign_in' }

/** Purpose, session and digest of the login token, as the table has them. */
function columnsOf(use: ChallengeUse): [ChallengeUse['purpose'], string | null, string | null] {
  const sessionId = 'sessionId' in use ? use.sessionId : null
  const loginDigest = 'loginToken' in use ? digestOf(use.loginToken) : null
  return [use.purpose, sessionId, loginDigest]
}

/**
 * Makes a challenge. The one that its caller had for the same purpose is dead from now on: a page does one
 * ceremony at a time, and nobody fills the table.
 *
 * @returns it, base64url, as browsers take it
 * @throws Refusal `unauthenticated` when the session has ended meanwhile
 */
export async function makeChallenge(
  { knex, now, randomBytes }: Pick<Services, 'knex' | 'now' | 'randomBytes'>,
  use: ChallengeUse,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  const [purpose, sessionId, loginDigest] = columnsOf(use)
  await knex.transaction(async (trx) => {
    if (sessionId !== null) await lockSession(trx, sessionId)
    if (purpose !== 'sign_in') {
      await query(
        trx,
        `delete from passkey_challenges
         where purpose = ? and (session_id = ? or login_digest = decode(?, 'hex'))`,
        [purpose, sessionId, loginDigest],
      )
    }
    await query(
      trx,
      `insert into passkey_challenges (digest, purpose, session_id, login_digest, expires_at)
       values (decode(?, 'hex'), ?, ?, decode(?, 'hex'), ?)`,
      [
        digestOf(challenge),
        purpose,
        sessionId,
        loginDigest,
        new Date(now().getTime() + CHALLENGE_LIFETIME_MS),
      ],
    )
  })
  return challenge
}

/**
 * Sessions go before their challenges, which go with them: in the other order, one that begins a ceremony
 * while it is ended would wait for itself.
 */
async function lockSession(trx: Knex.Transaction, sessionId: string): Promise<void> {
  const sql = 'select 1 from sessions where id = ? for no key update'
  const there = await query(trx, sql, [sessionId])
  if (there.length === 0) throw new Refusal('unauthenticated', 'Authentication required')
}

/**
 * Uses a challenge up. Of calls at the same moment, one gets it.
 *
 * @param challenge as the browser gave it back, base64url
 * @returns whether it was made for this use, and not more than five minutes ago
 */
export async function takeChallenge(
  { knex, now }: { readonly knex: Knex; readonly now: () => Date },
  challenge: string,
  use: ChallengeUse,
): Promise<boolean> {
  const [purpose, sessionId, loginDigest] = columnsOf(use)
  const taken = await query(
    knex,
    `delete from passkey_challenges
     where digest = decode(?, 'hex') and purpose = ? and expires_at > ?
       and session_id is not distinct from ?::bigint
       and login_digest is not distinct from decode(?, 'hex')
     returning 1`,
    [digestOf(challenge), purpose, now(), sessionId, loginDigest],
  )
  return taken.length === 1
}
