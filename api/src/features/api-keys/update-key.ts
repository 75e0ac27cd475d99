/** Changes the name, the scope and the expiry of a key. */
import type { ApiKeyChange } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import { isDeepStrictEqual } from 'node:util'
import { requireConfirmed } from '../../credentials/confirmation.ts'
import { notifyKeyEvent } from '../../credentials/notify-key-event.ts'
import { requireLiveSession } from '../../credentials/session.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import { readGivenName } from '../../rules/given-name.ts'
import { changeLifetime, type Lifetime, readScope } from '../../rules/key-limits.ts'
import { isWidened, type KeyGrant } from '../../rules/key-widening.ts'
import { requireAbility } from '../../rules/plans.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { ApiKey } from '../../models/api-key.ts'
import { expectedVersion } from '../../plugins/if-match.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import type { ApiKeyRow } from './api-key-row.ts'
import { findApiKey } from './find-key.ts'

/** The change that the owner of a key requests. */
export interface WantedChange {
  readonly id: string
  readonly change: ApiKeyChange
  /** The header If-Match. */
  readonly ifMatch: string | undefined
}

/** What can be changed about a key. */
type Changeable = { readonly name: string } & KeyGrant & Lifetime

const changeableOf = (row: ApiKeyRow): Changeable => ({
  name: row.name,
  scope: row.scope,
  expiresAt: row.expires_at,
  unusedDays: row.unused_days,
  unusedExpiresAt: row.unused_expires_at,
})

/** The key with the given fields replaced. @throws Refusal `validation-failed` */
function changed(before: Changeable, change: ApiKeyChange, now: Date): Changeable {
  const { name, scope } = change
  return {
    name:
      name === undefined ? before.name : readGivenName(name, 'Please enter a name for the API key'),
    scope: scope === undefined ? before.scope : readScope(scope),
    ...changeLifetime(before, change, now),
  }
}

/** @throws Refusal `version-mismatch` */
function requireVersion({ name, version }: ApiKeyRow, expected: number | undefined): void {
  if (expected === undefined || expected === version) return
  throw new Refusal(
    'version-mismatch',
    `The API key ${name} was changed in the meantime and has version ${version}. Read it again, then repeat your change.`,
  )
}

/** @throws Refusal `not-found` */
async function keyOf(db: Knex, userId: string, id: string): Promise<ApiKeyRow> {
  const row = await findApiKey(db, userId, id)
  if (row === undefined) throw notFound('API key')
  return row
}

/** Writes the key. A former secret that still works follows it, because it is for the same key. */
async function write(trx: Knex.Transaction, id: string, wanted: Changeable): Promise<void> {
  const { name, scope, expiresAt, unusedDays, unusedExpiresAt } = wanted
  await ApiKey.query(trx)
    .findById(id)
    .patch({
      name,
      scope,
      expires_at: expiresAt,
      unused_days: unusedDays,
      unused_expires_at: unusedExpiresAt,
      version: raw('version + 1'),
    })
  await ApiKey.query(trx)
    .patch({ name, scope, expires_at: raw('least(expires_at, ?::timestamptz)', [expiresAt]) })
    .where('replaced_by', id)
}

/**
 * Changes a key. A change that lets the key do more requires a fresh proof of identity, and the owner is notified by
 * mail. A change without effect writes nothing.
 *
 * @throws Refusal `not-found`, `plan-required`, `validation-failed`, `version-mismatch`, `step-up-required`,
 * `rate-limited`, `unauthenticated`
 */
export async function updateApiKey(
  services: Services,
  principal: SessionPrincipal,
  { id, change, ifMatch }: WantedChange,
  source: RequestSource,
): Promise<ApiKeyRow> {
  const { knex, now } = services
  const { account } = principal
  requireAbility(account, 'api_keys', 'API keys')
  const seen = await keyOf(knex, account.id, id)
  requireVersion(seen, expectedVersion(ifMatch, seen.version))
  const at = now()
  const isMore = isWidened(changeableOf(seen), changed(changeableOf(seen), change, at))
  if (isMore) {
    requireConfirmed(principal, at)
    await requireAllowance(services, 'notices-account', account.id)
  }
  return knex.transaction(async (trx) => {
    await lockAccount(trx, account.id)
    await requireLiveSession(trx, principal)
    const row = await keyOf(trx, account.id, id)
    // The result of the comparison is valid for the version that was read.
    requireVersion(row, seen.version)
    const before = changeableOf(row)
    const wanted = changed(before, change, at)
    if (isDeepStrictEqual(before, wanted)) return row
    await write(trx, id, wanted)
    if (isMore) {
      const what = { event: 'key-widened', name: wanted.name, mark: row.prefix } as const
      await notifyKeyEvent(services, trx, { userId: account.id, ...what }, source)
    }
    return keyOf(trx, account.id, id)
  })
}
