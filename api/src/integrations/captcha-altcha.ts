/**
 * ALTCHA, version 2: to solve a challenge, the client derives keys until one has the prefix that the challenge
 * requires. The challenge is signed and not stored, so any replica can check it and a restart changes nothing. Only
 * used challenges are stored, until they expire, in a table whose primary key decides a race.
 *
 * The counter of the solution is drawn between two bounds when the challenge is created. With a search for any key of
 * a prefix, some people would wait five times as long as others.
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
 * A thousand derivations of 2,000 iterations on average. Two million iterations take a third of a second on one core of
 * a server, and should take a phone's browser about a second. Creating a challenge costs one derivation, below 2 ms,
 * and checking a solution costs two HMACs.
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

/** As text, because the library takes text. */
const keyFor = (secretKey: Buffer, use: string) =>
  derivedKey(secretKey, `captcha v1 ${use}`).toString('hex')

/** The payload of a token; undefined when the token is not base64 of JSON. */
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

/** Records that a solution was used. Of two concurrent calls one gets true, on any replica. */
async function useUp(knex: Knex, signature: string, expiresAt: Date): Promise<boolean> {
  const challenge_digest = digestBytes(signature)
  return insertNew(UsedCaptcha, knex, { challenge_digest, expires_at: expiresAt })
}

/** The secrets that sign challenges. */
const signingSecrets = (secretKey: Buffer) => ({
  hmacSignatureSecret: keyFor(secretKey, 'challenge'),
  hmacKeySignatureSecret: keyFor(secretKey, 'answer'),
})

/** Whether the solution is correct and one of the keys signed its challenge. */
async function isSolved(
  { challenge, solution }: Payload,
  accepted: readonly ReturnType<typeof signingSecrets>[],
): Promise<boolean> {
  for (const secrets of accepted) {
    // The library can also throw when a challenge was tampered with.
    const verdict = await verifySolution({ challenge, solution, deriveKey, ...secrets }).catch(
      () => undefined,
    )
    if (verdict?.verified === true) return true
  }
  return false
}

/** The CAPTCHA that this service provides itself. */
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
