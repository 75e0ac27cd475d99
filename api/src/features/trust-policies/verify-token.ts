/** Verifies a pipeline's token: it must be signed by its issuer, for this service, valid now, and not used before. */
import type { JWTPayload } from 'jose'
import type { Knex } from 'knex'
import { Refusal } from '../../rules/errors.ts'
import { digestBytes } from '../../rules/secrets.ts'
import { IssuerUnreadable } from '../../integrations/issuer-keys.ts'
import { ExchangedToken } from '../../models/exchanged-token.ts'
import { insertNew } from '../../models/table.ts'
import type { TrustPolicy } from '../../models/trust-policy.ts'
import type { Services } from '../../compose.ts'
import { audienceOf } from './policy-row.ts'

/** Clocks may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 30
/** A pipeline may run for hours with its first token, but not for days. */
const TOKEN_AGE_LIMIT_SECONDS = 86_400
/** Only signatures with key pairs: with a shared secret, the public key could be used to sign. */
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

/** The refusal for the sender of the token. */
export const wrong = (detail: string) => new Refusal('wrong-credentials', detail)
/** The message before the sender is verified. */
export const UNKNOWN = 'The token is invalid, or this policy does not trust it.'

const wrongClaim = (name: string) => wrong(`The claim ${name} of the token is missing or wrong.`)

/** Verified claims that are present. */
export interface VerifiedClaims extends JWTPayload {
  readonly sub: string
  readonly exp: number
  readonly iat: number
}

/** The claims of a token with a valid signature and valid times. @throws Refusal `wrong-credentials` */
export async function verifiedClaims(
  { issuerKeys, config, now }: Services,
  { issuer }: Pick<TrustPolicy, 'issuer'>,
  token: string,
): Promise<VerifiedClaims> {
  // Loaded with the first token: most services have no pipelines.
  const { decodeJwt, errors, jwtVerify } = await import('jose')
  try {
    // Keys are not fetched for a malformed token or one with another issuer: an error while fetching them would
    // disclose which issuer the policy trusts.
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
    // The library requires these claims, but checks only the types of the times.
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

/** Records that a token with an id was exchanged, until its times make it invalid. @throws Refusal `wrong-credentials` */
export async function spendToken(
  trx: Knex.Transaction,
  { issuer }: Pick<TrustPolicy, 'issuer'>,
  { jti, exp, iat }: VerifiedClaims,
): Promise<void> {
  if (jti === undefined) return
  // A token may have no practical expiry; its age is limited all the same.
  const lastSecond = Math.min(exp, iat + TOKEN_AGE_LIMIT_SECONDS) + CLOCK_TOLERANCE_SECONDS
  const isFirst = await insertNew(ExchangedToken, trx, {
    digest: digestBytes(`${issuer}\n${jti}`),
    expires_at: new Date(lastSecond * 1_000),
  })
  if (!isFirst)
    throw wrong('The token was already exchanged. Request a new token from your issuer.')
}
