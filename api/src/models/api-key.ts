import { Model } from 'objection'
import type { KeyScope } from '@homing/openapi'
import { bigint, bytea, inet, jsonb, nullable, smallint, text, timestamptz } from './columns.ts'
import { belongsTo, columnOf, ownedBy, table, type TableQuery } from './table.ts'
import { TrustPolicy } from './trust-policy.ts'
import { User } from './user.ts'

/** API keys, the secrets that they had before, and keys that trust policies gave. */
export class ApiKey extends table('api_keys', {
  id: bigint,
  user_id: bigint,
  name: text,
  /** The first characters of the secret, by which its owner knows it. */
  prefix: text,
  /** SHA-256. */
  secret_digest: bytea,
  /** Null: everything. */
  scope: nullable(jsonb<KeyScope>()),
  created_at: timestamptz,
  expires_at: nullable(timestamptz),
  /** After how many days without use the key ends, and when that is. */
  unused_days: nullable(smallint),
  unused_expires_at: nullable(timestamptz),
  last_used_at: nullable(timestamptz),
  last_used_ip: nullable(inet),
  last_client: nullable(text),
  rotated_at: nullable(timestamptz),
  /** Of a former secret: the key that it was the secret of. */
  replaced_by: nullable(bigint),
  /** Of a key that was given for a pipeline's token: the policy that gave it. */
  policy_id: nullable(bigint),
}) {
  declare account?: User
  declare policy?: TrustPolicy
  /** The secret that the key had before it was rotated. */
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

    /** Keys that have not ended at a time: neither at the time that was set, nor because nobody used them. */
    current(query: TableQuery<ApiKey>, at: Date): void {
      const ends = [columnOf(query, 'expires_at'), columnOf(query, 'unused_expires_at')]
      query.whereRaw('coalesce(least(??, ??) > ?, true)', [...ends, at])
    },

    /** Keys as their owners see them: neither former secrets nor keys that policies gave. */
    listed(query: TableQuery<ApiKey>): void {
      query.whereNull(columnOf(query, 'replaced_by')).whereNull(columnOf(query, 'policy_id'))
    },
  }
}
