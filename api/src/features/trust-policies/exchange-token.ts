/**
 * Exchanges a pipeline's token (OpenID Connect) for a key that is valid for 15 minutes.
 *
 * The caller names the policy by its id; it is not found by the claims. Otherwise somebody could write a policy for
 * another account's pipeline and make that pipeline update the wrong domains. The reason for a refusal is given only
 * after the signature was verified; before that the caller is unknown.
 */
import type { ExchangedKey } from '@homing/openapi'
import type { Knex } from 'knex'
import { requireUsable } from '../../credentials/account-row.ts'
import { EVERYTHING } from '../../rules/key-scope.ts'
import { networkOf } from '../../rules/networks.ts'
import { requireAbility, type AccountStatus } from '../../rules/plans.ts'
import { digestBytes, newSecret, secretPrefix } from '../../rules/secrets.ts'
import { type Misfit, misfitOf, repositoryIds } from '../../rules/trust-policy.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { ApiKey } from '../../models/api-key.ts'
import type { Plan } from '../../models/plan.ts'
import type { Row, TableQuery } from '../../models/table.ts'
import { TrustPolicy } from '../../models/trust-policy.ts'
import type { Services } from '../../compose.ts'
import { spendToken, UNKNOWN, type VerifiedClaims, verifiedClaims, wrong } from './verify-token.ts'

const KEY_LIFETIME_MS = 900_000
/** Maximum length of a stored subject, in characters. */
const SUBJECT_LIMIT = 1_000

type Policy = Row<typeof TrustPolicy>

/** A policy with the status and the abilities of its account. */
type FoundPolicy = Policy & AccountStatus & Pick<Row<typeof Plan>, 'abilities'>

async function findPolicy(knex: Knex, id: string): Promise<FoundPolicy | undefined> {
  const [policy] = await TrustPolicy.query(knex)
    .joinRelated('account.plan')
    .select('trust_policies.*', 'account.account_type', 'account.enabled', 'account:plan.abilities')
    .where('trust_policies.id', id)
    .toKnexQuery<FoundPolicy>()
  return policy
}

/** The subject for the owner, without characters that PostgreSQL cannot store or that control terminals. */
const readableSubject = (sub: string) =>
  sub
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, SUBJECT_LIMIT)
    .toWellFormed()

/** Stores the key. @throws Refusal `wrong-credentials` when the policy was deleted meanwhile */
async function insertKey(
  trx: Knex.Transaction,
  id: string,
  { key, at, expiresAt }: { readonly key: string; readonly at: Date; readonly expiresAt: Date },
): Promise<void> {
  const policy = await TrustPolicy.query(trx).findById(id).forKeyShare()
  if (policy === undefined) throw wrong(UNKNOWN)
  await ApiKey.query(trx).insert({
    user_id: policy.user_id,
    name: policy.name,
    prefix: secretPrefix(key),
    secret_digest: digestBytes(key),
    scope: policy.scope,
    created_at: at,
    expires_at: expiresAt,
    policy_id: policy.id,
  })
}

const wrongPipeline = (misfit: Misfit) =>
  wrong(`The ${misfit.replaceAll('_', ' ')} in the token does not match the policy.`)

/** @param value null where the policy names none: then the column is null */
const isUnsetOr =
  (column: 'repository_id' | 'repository_owner_id', value: string | null) =>
  (either: TableQuery<TrustPolicy>) =>
    void either.whereNull(column).orWhere(column, value)

/**
 * Records when, from where and for which subject the policy was used, and at the first use the repository that it is
 * bound to. The key is already stored, so the policy exists.
 *
 * @throws Refusal `wrong-credentials` when the policy is bound to another repository by now
 */
async function noteUse(
  trx: Knex.Transaction,
  policy: Policy,
  claims: VerifiedClaims,
  { at, ip }: { readonly at: Date; readonly ip: string },
): Promise<void> {
  const { repository_id: id, repository_owner_id: owner } = repositoryIds(policy, claims)
  const noted = await TrustPolicy.query(trx)
    .findById(policy.id)
    .patch({
      last_used_at: at,
      last_used_ip: ip,
      last_subject: readableSubject(claims.sub),
      repository_id: id,
      repository_owner_id: owner,
    })
    // A concurrent exchange may have been the first one, for another repository.
    .where(isUnsetOr('repository_id', id))
    .where(isUnsetOr('repository_owner_id', owner))
  if (noted === 0) throw wrongPipeline('repository_id')
}

/**
 * Issues a key for 15 minutes, within the scope of the policy.
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
  requireAbility({ abilities: new Set(policy.abilities) }, 'api_keys', 'API keys')
  await requireAllowance(services, 'exchange-policy', policy.id)
  const key = newSecret('api_key', randomBytes)
  const at = now()
  const expiresAt = new Date(at.getTime() + KEY_LIFETIME_MS)
  await knex.transaction(async (trx) => {
    await spendToken(trx, policy, claims)
    await insertKey(trx, policy.id, { key, at, expiresAt })
    await noteUse(trx, policy, claims, { at, ip })
  })
  return { key, expires_at: expiresAt.toISOString(), scope: policy.scope ?? EVERYTHING }
}
