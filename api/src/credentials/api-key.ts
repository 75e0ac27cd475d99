import type { Knex } from 'knex'
import { looksLikeApiKey } from '../domain/api-keys.ts'
import { digestOf } from '../domain/secrets.ts'
import { query } from '../sql.ts'
import type { CallerAccount } from '../principal.ts'
import type { Services } from '../services.ts'
import { ACCOUNT_COLUMNS, type AccountRow, callerAccount, isBlocked } from './account-row.ts'

/**
 * `no-plan`: the key is one, and the plan has no keys any more; `blocked`: its account is
 * disabled. Both may tell so, since nobody guesses a key.
 */
export type KeyVerdict =
  | { readonly kind: 'key'; readonly keyId: string; readonly account: CallerAccount }
  | { readonly kind: 'wrong' | 'no-plan' | 'blocked' }

interface KeyRow extends AccountRow {
  readonly key_id: string
  readonly last_used_at: Date | null
}

/** `last_used_at` is for people: it need not cost a write for each call. */
const USE_NOTED_EVERY_MS = 60_000

async function noteUse(knex: Knex, row: KeyRow, now: Date): Promise<void> {
  if (
    row.last_used_at !== null &&
    now.getTime() - row.last_used_at.getTime() < USE_NOTED_EVERY_MS
  ) {
    return
  }
  await query(
    knex,
    `update api_keys set last_used_at = ?
     where id = ? and (last_used_at is null or last_used_at <= ?)`,
    [now, row.key_id, new Date(now.getTime() - USE_NOTED_EVERY_MS)],
  )
}

/** The account of an API key, with its plan as it is now. What is no key costs no query. */
export async function authenticateKey(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  key: string,
): Promise<KeyVerdict> {
  if (!looksLikeApiKey(key)) return { kind: 'wrong' }
  const [row] = await query<KeyRow>(
    knex,
    `select k.id as key_id, k.last_used_at, ${ACCOUNT_COLUMNS}
     from api_keys k join users u on u.id = k.user_id join plans p on p.account_type = u.account_type
     where k.secret_digest = decode(?, 'hex')`,
    [digestOf(key).toString('hex')],
    'api-key',
  )
  if (row === undefined) return { kind: 'wrong' }
  if (isBlocked(row)) return { kind: 'blocked' }
  const account = callerAccount(row)
  if (!account.abilities.has('api_keys')) return { kind: 'no-plan' }
  await noteUse(knex, row, now())
  return { kind: 'key', keyId: row.key_id, account }
}
