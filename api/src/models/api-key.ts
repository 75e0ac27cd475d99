import { Model } from 'objection'
import type { KeyScope } from '@homing/openapi'
import {
  bigint,
  bytea,
  inet,
  integer,
  jsonb,
  nullable,
  smallint,
  text,
  timestamptz,
} from './columns.ts'
import { belongsTo, columnOf, ownedBy, table, type TableQuery } from './table.ts'
import { TrustPolicy } from './trust-policy.ts'
import { User } from './user.ts'

/** API keys, their former secrets, and keys issued by trust policies. */
export class ApiKey extends table('api_keys', {
  id: bigint,
  user_id: bigint,
  name: text,
  /** The first characters of the secret, by which its owner recognises it. */
  prefix: text,
  /** SHA-256. */
  secret_digest: bytea,
  /** Null: unrestricted. */
  scope: nullable(jsonb<KeyScope>()),
  created_at: timestamptz,
  expires_at: nullable(timestamptz),
  /** Days without use after which the key expires, and when that is. */
  unused_days: nullable(smallint),
  unused_expires_at: nullable(timestamptz),
  last_used_at: nullable(timestamptz),
  last_used_ip: nullable(inet),
  last_client: nullable(text),
  rotated_at: nullable(timestamptz),
  /** For a former secret: the key that it belonged to. */
  replaced_by: nullable(bigint),
  /** For a key that was issued in exchange for a pipeline's token: the policy that issued it. */
  policy_id: nullable(bigint),
  /** Increased by each change of the name, the scope or the lifetime. */
  version: integer,
  /** The ends of the key that its owner was notified of by mail: the one that it has, and the one without use. */
  expiry_told_for: nullable(timestamptz),
  unused_told_for: nullable(timestamptz),
}) {
  declare account?: User
  declare policy?: TrustPolicy
  /** The key's secret before its rotation. */
  declare former?: ApiKey
  static override readonly relationMappings = () => ({
    account: belongsTo(User, 'api_keys.user_id'),
    policy: belongsTo(TrustPolicy, 'api_keys.policy_id'),
    former: {
      relation: Model.HasOneRelation,
      modelClass: ApiKey,
      join: { from: 'api_keys.id', to: 'api_keys.replaced_by' },
    },
  })

  static override readonly modifiers = {
    ownedBy,

    /** Keys that have not expired at a time, neither by their expiry time nor by lack of use. */
    current(query: TableQuery<ApiKey>, at: Date): void {
      const ends = [columnOf(query, 'expires_at'), columnOf(query, 'unused_expires_at')]
      query.whereRaw('coalesce(least(??, ??) > ?, true)', [...ends, at])
    },

    /** Keys that their owners see: neither former secrets nor keys issued by policies. */
    listed(query: TableQuery<ApiKey>): void {
      query.whereNull(columnOf(query, 'replaced_by')).whereNull(columnOf(query, 'policy_id'))
    },
  }
}
