import { digestOf, hasSecretForm, secretKindOf } from '../domain/secrets.ts'
import { query } from '../sql.ts'
import type { CallerAccount } from '../principal.ts'
import type { Services } from '../services.ts'
import { ACCOUNT_COLUMNS, type AccountRow, callerAccount, isBlocked } from './account-row.ts'
import type { UseSource } from './secret-uses.ts'

/**
 * `no-plan`: the key is one, and the plan has no keys any more; `blocked`: its account is
 * disabled. Both may tell so, since nobody guesses a key.
 */
export type KeyVerdict =
  | { readonly kind: 'key'; readonly keyId: string; readonly account: CallerAccount }
  | { readonly kind: 'wrong' | 'no-plan' | 'blocked' }
  /** Too many that are none came from the same network. */
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }

interface KeyRow extends AccountRow {
  readonly key_id: string
}

/** The account of an API key, with its plan as it is now. What is no key costs no query. */
export async function authenticateKey(
  { knex, secretUses, unknownSecrets }: Pick<Services, 'knex' | 'secretUses' | 'unknownSecrets'>,
  key: string,
  source: UseSource,
): Promise<KeyVerdict> {
  if (secretKindOf(key) !== 'api_key' || !hasSecretForm(key)) return { kind: 'wrong' }
  const digest = digestOf(key)
  const check = unknownSecrets.check(digest, source.ip)
  if (check.kind === 'unknown') return { kind: 'wrong' }
  if (check.kind === 'wait') {
    return { kind: 'throttled', retryAfterSeconds: check.retryAfterSeconds }
  }
  const [row] = await query<KeyRow>(
    knex,
    `select k.id as key_id, ${ACCOUNT_COLUMNS}
     from api_keys k join users u on u.id = k.user_id join plans p on p.account_type = u.account_type
     where k.secret_digest = decode(?, 'hex')`,
    [digest],
    'api-key',
  )
  if (row === undefined) {
    unknownSecrets.wrong(digest, source.ip)
    return { kind: 'wrong' }
  }
  unknownSecrets.right(digest)
  if (isBlocked(row)) return { kind: 'blocked' }
  const account = callerAccount(row)
  if (!account.abilities.has('api_keys')) return { kind: 'no-plan' }
  secretUses.note('api_key', row.key_id, source)
  return { kind: 'key', keyId: row.key_id, account }
}
