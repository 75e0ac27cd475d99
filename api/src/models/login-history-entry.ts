import type { SignInMethod } from '@homing/openapi'
import { bigint, boolean, inet, nullable, text, textOf, timestamptz } from './columns.ts'
import { belongsTo, ownedBy, table } from './table.ts'
import { User } from './user.ts'

/** Sign-in attempts of an account, including failed ones. */
export class LoginHistoryEntry extends table('login_history', {
  id: bigint,
  user_id: bigint,
  at: timestamptz,
  ip: inet,
  /** ISO 3166-1, two letters. */
  cc: nullable(text),
  /** The user agent. */
  client: nullable(text),
  success: boolean,
  /** Null: the attempt is older than this column. */
  method: nullable(textOf<SignInMethod>()),
}) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'login_history.user_id') }
  static override readonly modifiers = { ownedBy }
}
