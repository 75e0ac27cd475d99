/** Whether a pipeline's token is what it says: signed by its issuer, for this service, now, and for the first time. */
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Knex } from 'knex'
import { Refusal } from '../../rules/errors.ts'
import { digestBytes } from '../../rules/secrets.ts'
import { IssuerUnreadable } from '../../integrations/issuer-keys.ts'
import { ExchangedToken } from '../../models/exchanged-token.ts'
import { insertNew } from '../../models/table.ts'
import type { TrustPolicy } from '../../models/trust-policy.ts'
import type { Services } from '../../compose.ts'
import { audienceOf } from './policy-row.ts'

/** Clocks differ a little. */
const CLOCK_TOLERANCE_SECONDS = 30
/** A pipeline may run for hours with the token that it began with, not for days. */
const TOKEN_AGE_LIMIT_SECONDS = 86_400
/** Signatures by key pairs alone: with a shared secret, the public key would do to sign. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
]

/** What whoever sent a token is told. */
export const wrong = (detail: string) => new Refusal('wrong-credentials', detail)
/** What is said before anything is known of who asks. */
export const UNKNOWN = 'The token is invalid, or this policy does not trust it.'

const wrongClaim = (name: string) => wrong(`The claim ${name} of the token is missing or wrong.`)

/** Claims that were verified, and are there. */
export interface VerifiedClaims extends JWTPayload {
  readonly sub: string
  readonly exp: number
  readonly iat: number
}

/** The claims of a token whose signature and times are right. @throws Refusal `wrong-credentials` */
export async function verifiedClaims(
  { issuerKeys, config, now }: Services,
  { issuer }: Pick<TrustPolicy, 'issuer'>,
  token: string,
): Promise<VerifiedClaims> {
  try {
    // What has no form of a token makes nobody fetch keys. Nor does who cannot even name the issuer: why the keys cannot
    // be read would tell a stranger whom a policy trusts.
    if (decodeJwt(token).iss !== issuer) throw wrong(UNKNOWN)
    const { payload } = await jwtVerify(token, issuerKeys.of(issuer), {
      issuer,
      audience: audienceOf(config.publicUrl),
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: now(),
      maxTokenAge: TOKEN_AGE_LIMIT_SECONDS,
      requiredClaims: ['exp', 'iat', 'sub'],
    })
    const { sub, exp = 0, iat = 0 } = payload
    // Of these that have to be there, only the times are looked at by the library.
    if (typeof sub !== 'string') throw wrongClaim('sub')
    return { ...payload, sub, exp, iat }
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof errors.JWTExpired) throw wrong('The token has expired, or it is too old.')
    if (error instanceof errors.JWTClaimValidationFailed) {
      throw wrongClaim(error.claim)
    }
    if (error instanceof IssuerUnreadable) {
      throw wrong(`The keys of the issuer cannot be read. ${error.message}`)
    }
    throw wrong(UNKNOWN)
  }
}

/** A token that has an id is exchanged once, until it is refused by its times. @throws Refusal `wrong-credentials` */
export async function spendToken(
  trx: Knex.Transaction,
  { issuer }: Pick<TrustPolicy, 'issuer'>,
  { jti, exp, iat }: VerifiedClaims,
): Promise<void> {
  if (jti === undefined) return
  // An issuer may say that a token never expires; its age is limited all the same.
  const lastSecond = Math.min(exp, iat + TOKEN_AGE_LIMIT_SECONDS) + CLOCK_TOLERANCE_SECONDS
  const isFirst = await insertNew(ExchangedToken, trx, {
    digest: digestBytes(`${issuer}\n${jti}`),
    expires_at: new Date(lastSecond * 1_000),
  })
  if (!isFirst)
    throw wrong('The token was already exchanged. Request a new token from your issuer.')
}
