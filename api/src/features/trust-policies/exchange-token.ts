/**
 * A pipeline's token (OpenID Connect) becomes a key for 15 minutes.
 *
 * The policy is named by its id, not found by the claims: somebody who wrote a policy for another's pipeline would
 * otherwise get that pipeline to update the wrong names. What is wrong with a token is said only when its signature was
 * right; before that nobody knows who asks.
 */
import type { ExchangedKey } from '@homing/openapi'
import type { Knex } from 'knex'
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  callerAccount,
  requireUsable,
} from '../../credentials/account-row.ts'
import { EVERYTHING } from '../../domain/key-scope.ts'
import { networkOf } from '../../domain/networks.ts'
import { requireAbility } from '../../domain/plans.ts'
import { digestOf, newSecret, secretPrefix } from '../../domain/secrets.ts'
import { type Misfit, misfitOf, repositoryIds } from '../../domain/trust-policy.ts'
import { requireAllowance } from '../../integrations/allowance.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'
import { POLICY_COLUMNS, type PolicyRow } from './policy-row.ts'
import { spendToken, UNKNOWN, type VerifiedClaims, verifiedClaims, wrong } from './verify-token.ts'

const KEY_LIFETIME_MS = 900_000
/** Characters of a subject that are kept. */
const SUBJECT_LIMIT = 1_000
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

/** The subject for the owner to read: what PostgreSQL cannot store, or what steers terminals, is left out. */
const readableSubject = (sub: string) =>
  sub
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, SUBJECT_LIMIT)
    .toWellFormed()

/** Keeps the key. @throws Refusal `wrong-credentials` when the policy was deleted meanwhile */
async function insertKey(
  trx: Knex.Transaction,
  { id }: PolicyRow,
  { key, at, expiresAt }: { readonly key: string; readonly at: Date; readonly expiresAt: Date },
): Promise<void> {
  const made = await query(
    trx,
    `insert into api_keys (user_id, name, prefix, secret_digest, scope, created_at, expires_at, policy_id)
     select t.user_id, t.name, ?, decode(?, 'hex'), t.scope, ?, ?, t.id
     from trust_policies t where t.id = ? for key share returning id`,
    [secretPrefix(key), digestOf(key), at, expiresAt, id],
  )
  if (made.length === 0) throw wrong(UNKNOWN)
}

const wrongPipeline = (misfit: Misfit) =>
  wrong(`The ${misfit.replaceAll('_', ' ')} of the token is not that of the policy.`)

// Another exchange may have been the first one at this very moment, for another repository.
const NOTE_USE = `
  update trust_policies
  set last_used_at = ?, last_used_ip = ?, last_subject = ?, repository_id = ?::text, repository_owner_id = ?::text
  where id = ? and coalesce(repository_id, ?::text) is not distinct from ?::text
    and coalesce(repository_owner_id, ?::text) is not distinct from ?::text
  returning id`

/**
 * Notes when, from where and for whom the policy was used, and at the first use which repository it means. The key was
 * kept before, so the policy is there.
 *
 * @throws Refusal `wrong-credentials` when it is another repository's by now
 */
async function noteUse(
  trx: Knex.Transaction,
  policy: PolicyRow,
  claims: VerifiedClaims,
  { at, ip }: { readonly at: Date; readonly ip: string },
): Promise<void> {
  const { repository_id: id, repository_owner_id: owner } = repositoryIds(policy, claims)
  const subject = readableSubject(claims.sub)
  const noted = await query(trx, NOTE_USE, [
    at,
    ip,
    subject,
    id,
    owner,
    policy.id,
    id,
    id,
    owner,
    owner,
  ])
  if (noted.length === 0) throw wrongPipeline('repository_id')
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
  if (misfit !== undefined) throw wrongPipeline(misfit)
  requireUsable(policy)
  requireAbility(callerAccount(policy), 'api_keys', 'API keys')
  await requireAllowance(services, 'exchange-policy', policy.id)
  const key = newSecret('api_key', randomBytes)
  const at = now()
  const expiresAt = new Date(at.getTime() + KEY_LIFETIME_MS)
  await knex.transaction(async (trx) => {
    await spendToken(trx, policy, claims)
    await insertKey(trx, policy, { key, at, expiresAt })
    await noteUse(trx, policy, claims, { at, ip })
  })
  return { key, expires_at: expiresAt.toISOString(), scope: policy.scope ?? EVERYTHING }
}
