/** The pipelines that an account trusts. */
import type { NewTrustPolicy } from '@homing/openapi'
import type { Knex } from 'knex'
import { requireLiveSession } from '../../credentials/session.ts'
import { notifyKeyEvent } from '../../credentials/notify-key-event.ts'
import { invalid, notFound, Refusal } from '../../rules/errors.ts'
import { readGivenName } from '../../rules/given-name.ts'
import { readScope } from '../../rules/key-limits.ts'
import { requireAbility } from '../../rules/plans.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { CallerAccount, SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { TrustPolicy } from '../../models/trust-policy.ts'
import { POLICY_COLUMNS, type PolicyRow } from './policy-row.ts'

const POLICIES_LIMIT = 50
const WHAT = 'API keys'

/** An issuer in the spelling of its tokens (OpenID Connect Core 1.0 §2). @throws Refusal `validation-failed` */
function readIssuer(issuer: string, allowsPrivate: boolean): string {
  const url = URL.parse(issuer)
  const isSecure = url?.protocol === 'https:' || (allowsPrivate && url?.protocol === 'http:')
  const isPlain = url?.username === '' && url.password === '' && !/[?#\s]/.test(issuer)
  if (isSecure && isPlain) return issuer
  throw invalid({
    field: 'issuer',
    message: 'issuer must be a URL that begins with https://, without a query or password.',
  })
}

/** @throws Refusal `plan-required` */
export async function listTrustPolicies(
  knex: Knex,
  account: CallerAccount,
): Promise<readonly PolicyRow[]> {
  requireAbility(account, 'api_keys', WHAT)
  return TrustPolicy.query(knex)
    .modify('ownedBy', account.id)
    .select(POLICY_COLUMNS)
    .orderBy('id')
    .toKnexQuery<PolicyRow>()
}

/**
 * Creates a trust policy. The owner is notified by mail.
 *
 * @throws Refusal `plan-required`, `validation-failed`, `key-limit`, `rate-limited`, `unauthenticated`
 */
export async function createTrustPolicy(
  services: Services,
  principal: SessionPrincipal,
  input: NewTrustPolicy,
  source: RequestSource,
): Promise<PolicyRow> {
  const { knex, now, config } = services
  const { account } = principal
  requireAbility(account, 'api_keys', WHAT)
  const name = readGivenName(input.name, 'Please enter a name for the trust policy.')
  const issuer = readIssuer(input.issuer, config.allowsPrivateTargets)
  const { repository = null, repository_id: repositoryId = null, subject = null } = input
  const { repository_owner_id: ownerId = null, branch = null, environment = null } = input
  if (repository === null && repositoryId === null && subject === null) {
    const message =
      'A policy must specify a repository or a subject. Otherwise it would trust every pipeline of the issuer.'
    throw invalid({ field: 'repository', message })
  }
  const scope = readScope(input.scope)
  await requireAllowance(services, 'notices-account', account.id)
  return knex.transaction(async (trx) => {
    await lockAccount(trx, account.id)
    await requireLiveSession(trx, principal)
    const owned = await TrustPolicy.query(trx).modify('ownedBy', account.id).resultSize()
    if (owned >= POLICIES_LIMIT) {
      throw new Refusal(
        'key-limit',
        `An account can have at most ${POLICIES_LIMIT} trust policies. Delete one first.`,
      )
    }
    const [row] = await TrustPolicy.query(trx)
      .insert({
        user_id: account.id,
        name,
        issuer,
        repository,
        repository_id: repositoryId,
        repository_owner_id: ownerId,
        branch,
        environment,
        subject,
        scope,
        created_at: now(),
      })
      .returning([...POLICY_COLUMNS])
      .toKnexQuery<PolicyRow>()
    if (row === undefined) throw new Error('an inserted policy has an id')
    const mark = `${repository ?? repositoryId ?? subject} of ${issuer}`
    const what = { event: 'pipeline-trusted', name, mark } as const
    await notifyKeyEvent(services, trx, { userId: account.id, ...what }, source)
    return row
  })
}

/**
 * The keys that the policy issued are deleted with it. @throws Refusal `not-found`, also for a
 * policy of another account
 */
export async function deleteTrustPolicy(knex: Knex, userId: string, id: string): Promise<void> {
  const gone = await TrustPolicy.query(knex).delete().where('id', id).modify('ownedBy', userId)
  if (gone === 0) throw notFound('trust policy')
}
