/**
 * The challenges that authenticators sign: 256 random bits, stored as SHA-256. Each is for one purpose and
 * one caller, valid for five minutes, and is used up before anything that was signed is checked: of
 * several responses to one challenge, only one is read.
 */
import type { Knex } from 'knex'
import { Refusal } from '../../rules/errors.ts'
import { digestBytes } from '../../rules/secrets.ts'
import { PasskeyChallenge } from '../../models/passkey-challenge.ts'
import { Session } from '../../models/session.ts'
import type { Services } from '../../compose.ts'

/** How long a user has, in milliseconds. */
export const CHALLENGE_LIFETIME_MS = 300_000

/** The purpose of a challenge, and the caller who must return it. */
export type ChallengeUse =
  | { readonly purpose: 'register' | 'confirm'; readonly sessionId: string }
  /** The owner of the token that a right password gave. */
  | { readonly purpose: 'second_factor'; readonly loginToken: string }
  /** The user is not known yet. */
  | { readonly purpose: 'sign_in' }

/** The caller who must return a challenge, as columns of the table. */
function bearerOf(use: ChallengeUse): Pick<PasskeyChallenge, 'session_id' | 'login_digest'> {
  return {
    session_id: 'sessionId' in use ? use.sessionId : null,
    login_digest: 'loginToken' in use ? digestBytes(use.loginToken) : null,
  }
}

/**
 * Creates a challenge. It replaces the caller's challenge for the same purpose: a page runs one ceremony
 * at a time, and no caller can fill the table.
 *
 * @returns the challenge in base64url, as browsers take it
 * @throws Refusal `unauthenticated` when the session has ended meanwhile
 */
export async function makeChallenge(
  { knex, now, randomBytes }: Pick<Services, 'knex' | 'now' | 'randomBytes'>,
  use: ChallengeUse,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  const made = { purpose: use.purpose, ...bearerOf(use) }
  await knex.transaction(async (trx) => {
    if (made.session_id !== null) await lockSession(trx, made.session_id)
    if (use.purpose !== 'sign_in') await PasskeyChallenge.query(trx).delete().where(made)
    await PasskeyChallenge.query(trx).insert({
      ...made,
      digest: digestBytes(challenge),
      expires_at: new Date(now().getTime() + CHALLENGE_LIFETIME_MS),
    })
  })
  return challenge
}

/**
 * The session is locked before its challenges, which are deleted with it. In the other order, a session
 * that starts a ceremony while it is ended would deadlock.
 */
async function lockSession(trx: Knex.Transaction, sessionId: string): Promise<void> {
  const session = await Session.query(trx).findById(sessionId).select('id').forNoKeyUpdate()
  if (session === undefined) throw new Refusal('unauthenticated', 'Authentication required')
}

/**
 * Uses a challenge up. Of concurrent calls, one succeeds.
 *
 * @param challenge as the browser returned it, base64url
 * @returns whether it was created for this use, at most five minutes ago
 */
export async function takeChallenge(
  { knex, now }: { readonly knex: Knex; readonly now: () => Date },
  challenge: string,
  use: ChallengeUse,
): Promise<boolean> {
  const taken = await PasskeyChallenge.query(knex)
    .delete()
    .where({ digest: digestBytes(challenge), purpose: use.purpose, ...bearerOf(use) })
    .where('expires_at', '>', now())
  return taken === 1
}
