import { bigint, bytea, jsonb, nullable, smallint, text, timestamptz } from './columns.ts'
import { belongsTo, table } from './table.ts'
import { User } from './user.ts'

/** Calls with an idempotency key, and their responses. */
export class IdempotencyKey extends table(
  'idempotency_keys',
  {
    user_id: bigint,
    /** The header, as the caller chose it. */
    key: text,
    /** The `operationId`. */
    operation: text,
    /** SHA-256 of the caller, the operation and everything that the call sends. */
    request_digest: bytea,
    started_at: timestamptz,
    expires_at: timestamptz,
    /** Null: the first call is still in progress, or its process ended. */
    status: nullable(smallint),
    headers: nullable(jsonb<Readonly<Record<string, string>>>()),
    /** Null with a status: there is no body, or it contains a secret. */
    body: nullable(text),
    /** The id of what the call created, if its response contains a secret. */
    created_id: nullable(text),
  },
  ['user_id', 'key'],
) {
  declare account?: User
  static override readonly relationMappings = {
    account: belongsTo(User, 'idempotency_keys.user_id'),
  }
}
