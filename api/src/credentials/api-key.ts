import type { Refusal } from '../rules/errors.ts'
import { type KeyLimits, type KeyScope, useRefusal } from '../rules/key-scope.ts'
import { isBlocked } from '../rules/plans.ts'
import { digestOf, hasSecretForm, secretKindOf } from '../rules/secrets.ts'
import type { CallerAccount } from '../caller/principal.ts'
import { ACCOUNT_COLUMNS, type AccountRow, callerAccount } from './account-row.ts'
import { type DigestRow, readByDigest } from './read-by-digest.ts'
import type { UseSource } from './secret-uses.ts'
import type { CredentialServices } from './services.ts'

/**
 * `no-plan`: the key exists, but its plan no longer includes API keys; `blocked`: its account is
 * disabled. Callers may be told both reasons, because keys cannot be guessed.
 */
export type KeyVerdict =
  | {
      readonly kind: 'key'
      readonly keyId: string
      /** The trust policy for which the key was issued; null for keys that users create. */
      readonly policyId: string | null
      readonly limits: KeyLimits
      readonly account: CallerAccount
    }
  | { readonly kind: 'wrong' | 'no-plan' | 'blocked' }
  /** The key has expired, or may not be used from the caller's address. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Too many invalid keys came from the same network. */
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }

/** When a key `k` ends: at its expiry time, or when it was not used for too long. */
export const KEY_END = 'least(k.expires_at, k.unused_expires_at)'

interface KeyRow extends AccountRow, DigestRow {
  readonly secret_id: string
  /** For a former secret: the key that it belongs to. */
  readonly replaced_by: string | null
  readonly policy_id: string | null
  readonly scope: KeyScope | null
  readonly ends_at: Date | null
}

type KeyServices = Pick<CredentialServices, 'knex' | 'secretUses' | 'invalidSecrets' | 'now'>

const readKey = readByDigest<KeyRow>(
  `select encode(k.secret_digest, 'hex') as digest, k.id as secret_id, k.replaced_by, k.policy_id, k.scope, ${KEY_END} as ends_at,
     ${ACCOUNT_COLUMNS}
   from unnest((select ?::bytea[])) as a(digest) join api_keys k on k.secret_digest = a.digest
   join users u on u.id = k.user_id join plans p on p.account_type = u.account_type`,
  'api-keys',
)

/** Finds the account of an API key, with its current plan. A token that is not an API key costs no query. */
export async function authenticateKey(
  { knex, secretUses, invalidSecrets, now }: KeyServices,
  key: string,
  source: UseSource,
): Promise<KeyVerdict> {
  if (secretKindOf(key) !== 'api_key' || !hasSecretForm(key)) return { kind: 'wrong' }
  const digest = digestOf(key)
  const check = invalidSecrets.check(digest, source.ip)
  if (check.kind === 'unknown') return { kind: 'wrong' }
  if (check.kind === 'wait') {
    return { kind: 'throttled', retryAfterSeconds: check.retryAfterSeconds }
  }
  const row = await readKey(knex, digest)
  if (row === undefined) {
    invalidSecrets.wrong(digest, source.ip)
    return { kind: 'wrong' }
  }
  invalidSecrets.right(digest)
  if (isBlocked(row)) return { kind: 'blocked' }
  const account = callerAccount(row)
  if (!account.abilities.has('api_keys')) return { kind: 'no-plan' }
  const limits = { scope: row.scope, endsAt: row.ends_at }
  const refusal = useRefusal(limits, { ip: source.ip, at: now() })
  // A key that has ended must not become valid again because somebody tries it.
  if (refusal !== undefined) return { kind: 'refused', refusal }
  secretUses.note('api_key', digest, source)
  const keyId = row.replaced_by ?? row.secret_id
  return { kind: 'key', keyId, policyId: row.policy_id, limits, account }
}
