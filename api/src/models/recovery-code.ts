import { bigint, bytea, nullable, timestamptz } from './columns.ts'
import { belongsTo, ownedBy, table, type TableQuery } from './table.ts'
import { User } from './user.ts'

/** Codes that replace a lost second factor. Each is usable once. */
export class RecoveryCode extends table('recovery_codes', {
  id: bigint,
  user_id: bigint,
  /** SHA-256. */
  code_digest: bytea,
  created_at: timestamptz,
  used_at: nullable(timestamptz),
}) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'recovery_codes.user_id') }

  static override readonly modifiers = {
    ownedBy,
    unused: (query: TableQuery<RecoveryCode>): void => void query.whereNull('used_at'),
  }
}
