import { bigint, nullable, text, timestamptz } from './columns.ts'
import { belongsTo, ownedBy, table, type TableQuery } from './table.ts'
import { User } from './user.ts'

/** Authenticator apps (RFC 6238), one an account. */
export class TotpSecret extends table(
  'totp_secrets',
  {
    user_id: bigint,
    sealed_secret: text,
    created_at: timestamptz,
    /** When the first code was right. Null: setting it up was begun, and sign-in does not ask for it. */
    confirmed_at: nullable(timestamptz),
    /** The time step of the last code that was accepted: it and those before it are refused from then on. */
    last_step: nullable(bigint),
  },
  'user_id',
) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'totp_secrets.user_id') }

  static override readonly modifiers = {
    ownedBy,
    /** Authenticators that sign-in asks for. */
    on: (query: TableQuery<TotpSecret>): void => void query.whereNotNull('confirmed_at'),
    /** Authenticators whose first code is still to come. */
    begun: (query: TableQuery<TotpSecret>): void => void query.whereNull('confirmed_at'),
  }
}
