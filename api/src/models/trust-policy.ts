import type { KeyScope } from '@homing/openapi'
import { bigint, inet, jsonb, nullable, text, timestamptz } from './columns.ts'
import { belongsTo, ownedBy, table } from './table.ts'
import { User } from './user.ts'

/** Policies for trusted pipelines, whose tokens are exchanged for API keys. */
export class TrustPolicy extends table('trust_policies', {
  id: bigint,
  user_id: bigint,
  name: text,
  issuer: text,
  repository: nullable(text),
  repository_id: nullable(text),
  repository_owner_id: nullable(text),
  branch: nullable(text),
  environment: nullable(text),
  subject: nullable(text),
  /** Null: unrestricted. */
  scope: nullable(jsonb<KeyScope>()),
  created_at: timestamptz,
  last_used_at: nullable(timestamptz),
  last_used_ip: nullable(inet),
  last_subject: nullable(text),
}) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'trust_policies.user_id') }
  static override readonly modifiers = { ownedBy }
}
