import { bigint, nullable, text, timestamptz } from './columns.ts'
import { belongsTo, ownedBy, table, type TableQuery } from './table.ts'
import { User } from './user.ts'

/** Authenticator apps (RFC 6238), one for each account. */
export class TotpSecret extends table(
  'totp_secrets',
  {
    user_id: bigint,
    sealed_secret: text,
    created_at: timestamptz,
    /**
     * When the first code was verified. Null: the setup is not complete, and sign-in does not ask for
     * it.
     */
    confirmed_at: nullable(timestamptz),
    /** The time step of the last accepted code. Codes of this step and earlier ones are refused. */
    last_step: nullable(bigint),
  },
  'user_id',
) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'totp_secrets.user_id') }

  static override readonly modifiers = {
    ownedBy,
    /** Active authenticators, which sign-in asks for. */
    on: (query: TableQuery<TotpSecret>): void => void query.whereNotNull('confirmed_at'),
    /** Authenticators whose setup is not complete. */
    begun: (query: TableQuery<TotpSecret>): void => void query.whereNull('confirmed_at'),
  }
}
