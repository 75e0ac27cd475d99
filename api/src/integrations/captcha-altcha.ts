/**
 * ALTCHA, version 2: whoever solves a challenge derives keys until one begins as the challenge says. The challenge is
 * signed and kept nowhere, so any replica checks it and a restart changes nothing; what is kept is which ones were
 * used, until they expire, in a table whose primary key decides a race.
 *
 * The answer is drawn when the challenge is made, between two bounds. Looking for any key of a prefix would take some
 * people five times as long as others.
 */
import type { CaptchaChallenge } from '@homing/openapi'
import { createChallenge, type Payload, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Knex } from 'knex'
import { randomInt } from 'node:crypto'
import { derivedKey, readingKeys, type SecretKeys } from '../rules/derived-key.ts'
import { digestBytes } from '../rules/secrets.ts'
import { insertNew } from '../models/table.ts'
import { UsedCaptcha } from '../models/used-captcha.ts'
import type { Captcha } from './captcha.ts'

/** How long a challenge can be solved. */
const LIFETIME_MS = 10 * 60_000
/**
 * A thousand derivations of 2,000 iterations in the mean. Two million iterations take a third of a second on one core
 * of a server, and should take a phone's browser about a second. Making a challenge costs one derivation, below 2 ms, and
 * checking a solution costs two HMACs.
 */
const COST = 2_000
const COUNTER_FROM = 500
const COUNTER_BELOW = 1_500
const ALGORITHM = 'PBKDF2/SHA-256'

interface OwnCaptchaOptions {
  readonly keys: SecretKeys
  readonly knex: Knex
  /** The present time. */
  readonly now: () => Date
}

/** As text, which the library takes. */
const keyFor = (secretKey: Buffer, use: string) =>
  derivedKey(secretKey, `captcha v1 ${use}`).toString('hex')

/** What a token holds, when it has the form of one at all: base64 of JSON. */
function payloadOf(token: string): Payload | undefined {
  try {
    const payload = JSON.parse(Buffer.from(token, 'base64').toString('utf8')) as Partial<Payload>
    const { challenge, solution } = payload
    const isWhole = typeof challenge?.signature === 'string' && typeof solution === 'object'
    return isWhole ? { challenge, solution } : undefined
  } catch {
    return undefined
  }
}

/** Notes that a solution is used. Of two calls at once one gets true, wherever they run. */
async function useUp(knex: Knex, signature: string, expiresAt: Date): Promise<boolean> {
  const challenge_digest = digestBytes(signature)
  return insertNew(UsedCaptcha, knex, { challenge_digest, expires_at: expiresAt })
}

/** What challenges are signed with. */
const signingSecrets = (secretKey: Buffer) => ({
  hmacSignatureSecret: keyFor(secretKey, 'challenge'),
  hmacKeySignatureSecret: keyFor(secretKey, 'answer'),
})

/** Whether one of the keys signed the challenge of a solution that is right. */
async function isSolved(
  { challenge, solution }: Payload,
  accepted: readonly ReturnType<typeof signingSecrets>[],
): Promise<boolean> {
  for (const secrets of accepted) {
    // The library may throw as well when a challenge was tampered with.
    const verdict = await verifySolution({ challenge, solution, deriveKey, ...secrets }).catch(
      () => undefined,
    )
    if (verdict?.verified === true) return true
  }
  return false
}

/** The CAPTCHA that this service makes itself. */
export function ownCaptcha({ keys, knex, now }: OwnCaptchaOptions): Captcha {
  const secrets = signingSecrets(keys.secretKey)
  const accepted = readingKeys(keys).map(signingSecrets)
  return {
    terms: { provider: 'altcha', challenge_url: '/api/captcha/challenge' },
    async newChallenge() {
      const challenge = await createChallenge({
        algorithm: ALGORITHM,
        cost: COST,
        counter: randomInt(COUNTER_FROM, COUNTER_BELOW),
        expiresAt: new Date(now().getTime() + LIFETIME_MS),
        deriveKey,
        ...secrets,
      })
      return challenge as CaptchaChallenge
    },
    async accepts(token) {
      const payload = payloadOf(token)
      if (payload === undefined) return false
      if (!(await isSolved(payload, accepted))) return false
      const { challenge } = payload
      const expiresAt = new Date(Number(challenge.parameters.expiresAt) * 1_000)
      return expiresAt > now() && useUp(knex, String(challenge.signature), expiresAt)
    },
  }
}
