/**
 * What authenticators are asked to sign: 256 random bits, of which the database keeps the SHA-256. Each is
 * for one purpose and one caller, for five minutes, and is taken before anything that was signed is looked
 * at: of many answers to one challenge, one is read.
 */
import type { Knex } from 'knex'
import { Refusal } from '../../rules/errors.ts'
import { digestBytes } from '../../rules/secrets.ts'
import { PasskeyChallenge } from '../../models/passkey-challenge.ts'
import { Session } from '../../models/session.ts'
import type { Services } from '../../compose.ts'

/** How long a person has, in milliseconds. */
export const CHALLENGE_LIFETIME_MS = 300_000

/** What a challenge is for, and who has to bring it back. */
export type ChallengeUse =
  | { readonly purpose: 'register' | 'confirm'; readonly sessionId: string }
  /** Whoever has the token that stands for a right password. */
  | { readonly purpose: 'second_factor'; readonly loginToken: string }
  /** Nobody is known yet. */
  | { readonly purpose: 'sign_in' }

/** Who has to bring a challenge back, as the table has it. */
function bearerOf(use: ChallengeUse): Pick<PasskeyChallenge, 'session_id' | 'login_digest'> {
  return {
    session_id: 'sessionId' in use ? use.sessionId : null,
    login_digest: 'loginToken' in use ? digestBytes(use.loginToken) : null,
  }
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
 * Sessions go before their challenges, which go with them: in the other order, one that begins a ceremony
 * while it is ended would wait for itself.
 */
async function lockSession(trx: Knex.Transaction, sessionId: string): Promise<void> {
  const session = await Session.query(trx).findById(sessionId).select('id').forNoKeyUpdate()
  if (session === undefined) throw new Refusal('unauthenticated', 'Authentication required')
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
  const taken = await PasskeyChallenge.query(knex)
    .delete()
    .where({ digest: digestBytes(challenge), purpose: use.purpose, ...bearerOf(use) })
    .where('expires_at', '>', now())
  return taken === 1
}
