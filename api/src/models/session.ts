import { bigint, bytea, inet, nullable, text, timestamptz } from './columns.ts'
import { belongsTo, columnOf, ownedBy, table, type TableQuery } from './table.ts'
import { User } from './user.ts'

/** Sessions of signed-in users. */
export class Session extends table('sessions', {
  id: bigint,
  user_id: bigint,
  /** SHA-256. */
  token_digest: bytea,
  created_at: timestamptz,
  last_used_at: timestamptz,
  expires_at: timestamptz,
  confirmed_at: nullable(timestamptz),
  former_digest: nullable(bytea),
  former_until: nullable(timestamptz),
  former_confirmed_at: nullable(timestamptz),
  ip: nullable(inet),
  user_agent: nullable(text),
}) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'sessions.user_id') }
  static override readonly modifiers = {
    ownedBy,

    /** Sessions that have not expired at a time. */
    current(query: TableQuery<Session>, at: Date): void {
      query.where(columnOf(query, 'expires_at'), '>', at)
    },

    /** Most recently used first. */
    byUse(query: TableQuery<Session>): void {
      query.orderBy('last_used_at', 'desc').orderBy('id', 'desc')
    },
  }
}
