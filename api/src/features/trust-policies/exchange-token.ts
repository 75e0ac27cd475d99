/**
 * A pipeline's token (OpenID Connect) becomes a key for 15 minutes.
 *
 * The policy is named by its id, not found by the claims: somebody who wrote a policy for another's pipeline would
 * otherwise get that pipeline to update the wrong names. What is wrong with a token is said only when its signature was
 * right; before that nobody knows who asks.
 */
import type { ExchangedKey } from '@homing/openapi'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Knex } from 'knex'
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  callerAccount,
  requireUsable,
} from '../../credentials/account-row.ts'
import { Refusal } from '../../domain/errors.ts'
import { EVERYTHING } from '../../domain/key-scope.ts'
import { networkOf } from '../../domain/networks.ts'
import { requireAbility } from '../../domain/plans.ts'
import { digestOf, newSecret, secretPrefix } from '../../domain/secrets.ts'
import { misfitOf } from '../../domain/trust-policy.ts'
import { requireAllowance } from '../../integrations/allowance.ts'
import { IssuerUnreadable } from '../../integrations/issuer-keys.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'
import { audienceOf, POLICY_COLUMNS, type PolicyRow } from './policy-row.ts'

const KEY_LIFETIME_MS = 900_000
/** Clocks differ a little. */
const CLOCK_TOLERANCE_SECONDS = 30
/** A pipeline may run for hours with the token that it began with, not for days. */
const TOKEN_AGE_LIMIT = '24h'
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

const wrong = (detail: string) => new Refusal('wrong-credentials', detail)
const UNKNOWN = 'The token is not one that this policy trusts.'

type Found = PolicyRow & AccountRow

async function findPolicy(knex: Knex, id: string): Promise<Found | undefined> {
  const [row] = await query<Found>(
    knex,
    `select ${ACCOUNT_COLUMNS}, ${POLICY_COLUMNS}
     from trust_policies t join users u on u.id = t.user_id join plans p on p.account_type = u.account_type
     where t.id = ?`,
    [id],
  )
  return row
}

/** The claims of a token whose signature and times are right. @throws Refusal `wrong-credentials` */
async function verifiedClaims(
  { issuerKeys, config, now }: Services,
  { issuer }: PolicyRow,
  token: string,
): Promise<JWTPayload> {
  try {
    // What has no form of a token makes nobody fetch keys.
    decodeProtectedHeader(token)
    const { payload } = await jwtVerify(token, issuerKeys.of(issuer), {
      issuer,
      audience: audienceOf(config.publicUrl),
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: now(),
      maxTokenAge: TOKEN_AGE_LIMIT,
      requiredClaims: ['exp', 'iat', 'sub'],
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw wrong('The token has expired, or is too old.')
    if (error instanceof errors.JWTClaimValidationFailed) {
      throw wrong(`The claim ${error.claim} of the token is not right.`)
    }
    if (error instanceof IssuerUnreadable) {
      throw wrong(`The keys of the issuer cannot be read. ${error.message}`)
    }
    throw wrong(UNKNOWN)
  }
}

/** A token that has an id is exchanged once, until it would expire by itself. @throws Refusal `wrong-credentials` */
async function spendToken(
  trx: Knex.Transaction,
  { issuer }: PolicyRow,
  { jti, exp = 0 }: JWTPayload,
): Promise<void> {
  if (jti === undefined) return
  const spent = await query(
    trx,
    `insert into exchanged_tokens (digest, expires_at) values (decode(?, 'hex'), ?)
     on conflict do nothing returning 1`,
    [digestOf(`${issuer}\n${jti}`), new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1_000)],
  )
  if (spent.length === 0)
    throw wrong('The token was exchanged before. Ask your issuer for another.')
}

/**
 * A key for 15 minutes, within the scope of the policy.
 *
 * @throws Refusal `wrong-credentials`, `rate-limited`, `account-disabled`, `plan-required`
 */
export async function exchangeToken(
  services: Services,
  id: string,
  token: string,
  ip: string,
): Promise<ExchangedKey> {
  const { knex, now, randomBytes } = services
  await requireAllowance(services, 'exchange-network', networkOf(ip))
  const policy = await findPolicy(knex, id)
  if (policy === undefined) throw wrong(UNKNOWN)
  const claims = await verifiedClaims(services, policy, token)
  const misfit = misfitOf(policy, claims)
  if (misfit !== undefined) throw wrong(`The ${misfit} of the token is not that of the policy.`)
  requireUsable(policy)
  requireAbility(callerAccount(policy), 'api_keys', 'API keys')
  await requireAllowance(services, 'exchange-policy', policy.id)
  const key = newSecret('api_key', randomBytes)
  const expiresAt = new Date(now().getTime() + KEY_LIFETIME_MS)
  await knex.transaction(async (trx) => {
    await spendToken(trx, policy, claims)
    await query(
      trx,
      `insert into api_keys (user_id, name, prefix, secret_digest, scope, created_at, expires_at, policy_id)
       select t.user_id, t.name, ?, decode(?, 'hex'), t.scope, ?, ?, t.id from trust_policies t where t.id = ?`,
      [secretPrefix(key), digestOf(key), now(), expiresAt, policy.id],
    )
    await query(
      trx,
      'update trust_policies set last_used_at = ?, last_used_ip = ?, last_subject = ? where id = ?',
      [now(), ip, claims.sub?.slice(0, 1_000) ?? null, policy.id],
    )
  })
  return { key, expires_at: expiresAt.toISOString(), scope: policy.scope ?? EVERYTHING }
}
