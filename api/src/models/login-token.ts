import { bigint, bytea, integer, timestamptz } from './columns.ts'
import { belongsTo, columnOf, ownedBy, table, type TableQuery } from './table.ts'
import { User } from './user.ts'

/** Sign-ins with a correct password that still need a second factor. */
export class LoginToken extends table('login_tokens', {
  id: bigint,
  user_id: bigint,
  /** SHA-256. */
  token_digest: bytea,
  /** The version of the account's credentials for which the password was correct. */
  credential_version: integer,
  created_at: timestamptz,
  expires_at: timestamptz,
}) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'login_tokens.user_id') }

  static override readonly modifiers = {
    ownedBy,

    /** Tokens that have not expired at a time. */
    current(query: TableQuery<LoginToken>, at: Date): void {
      query.where(columnOf(query, 'expires_at'), '>', at)
    },
  }
}
