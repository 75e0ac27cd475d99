/** The stored responses of calls with an idempotency key (table `idempotency_keys`). */
import type { Knex } from 'knex'
import type { Services } from '../compose.ts'
import { query } from '../database/sql.ts'
import { IdempotencyKey } from '../models/idempotency-key.ts'

const KEPT_MS = 24 * 3_600_000
/** Longer than any request can take. After that, a row without a response is left by a process that ended. */
const IN_PROGRESS_LIMIT_MS = 120_000

/** A key that this call has claimed. */
export interface KeyClaim {
  readonly userId: string
  readonly key: string
  /** Distinguishes this claim from a later one of the same key. */
  readonly startedAt: Date
}

/** The response of the first call. */
export interface StoredAnswer {
  readonly digest: Buffer
  /** Null while the first call is in progress. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly createdId: string | null
}

// An expired row that the job has not deleted yet is as good as none.
const CLAIM = `
  insert into idempotency_keys as k (user_id, key, operation, request_digest, started_at, expires_at)
  values (?, ?, ?, decode(?, 'hex'), ?, ?)
  on conflict (user_id, key) do update
  set operation = excluded.operation, request_digest = excluded.request_digest, started_at = excluded.started_at,
      expires_at = excluded.expires_at, status = null, headers = null, body = null, created_id = null
  where k.expires_at <= excluded.started_at
     or (k.status is null and k.started_at <= ? and k.request_digest = excluded.request_digest)
  returning 1`

/** Claims a key for a call. @returns the claim, or the row of the call that has the key */
export async function claimKey(
  services: Pick<Services, 'knex' | 'now'>,
  call: {
    readonly userId: string
    readonly key: string
    readonly operation: string
    readonly digest: Buffer
  },
): Promise<KeyClaim | StoredAnswer> {
  const { knex, now } = services
  const { userId, key, operation, digest } = call
  const startedAt = now()
  const after = (ms: number) => new Date(startedAt.getTime() + ms)
  const values = [userId, key, operation, digest.toString('hex'), startedAt, after(KEPT_MS)]
  const claimed = await query(knex, CLAIM, [...values, after(-IN_PROGRESS_LIMIT_MS)])
  if (claimed.length > 0) return { userId, key, startedAt }
  const row = await IdempotencyKey.query(knex).findById([userId, key])
  // It was deleted in between: the call that had it failed, so this one may run.
  if (row === undefined) return claimKey(services, call)
  const { request_digest, status, headers, body, created_id } = row
  return { digest: request_digest, status, headers: headers ?? {}, body, createdId: created_id }
}

const ofClaim = (knex: Knex, { userId, key, startedAt }: KeyClaim) =>
  IdempotencyKey.query(knex).where({ user_id: userId, key, started_at: startedAt })

/** Stores the response of the call that has the claim. */
export async function storeAnswer(
  knex: Knex,
  claim: KeyClaim,
  { status, headers, body, createdId }: Omit<StoredAnswer, 'digest'>,
): Promise<void> {
  await ofClaim(knex, claim).patch({ status, headers, body, created_id: createdId })
}

/** Frees the key: the call may be repeated. */
export async function forgetKey(knex: Knex, claim: KeyClaim): Promise<void> {
  await ofClaim(knex, claim).delete()
}
