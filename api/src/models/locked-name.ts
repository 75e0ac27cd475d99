import { bigint, nullable, text, timestamptz } from './columns.ts'
import { belongsTo, table } from './table.ts'
import { User } from './user.ts'

/**
 * Names that an administrator has locked. A lock does not expire, and outlives the domain and its account.
 */
export class LockedName extends table('locked_names', {
  id: bigint,
  fqdn: text,
  locked_at: timestamptz,
  /**
   * The administrator who set the lock. Null: that account was deleted, or the lock was not set through the API.
   */
  locked_by: nullable(bigint),
  /** The last owner of the name. Null: that account was deleted. */
  user_id: nullable(bigint),
}) {
  declare administrator?: User
  declare account?: User
  static override readonly relationMappings = {
    administrator: belongsTo(User, 'locked_names.locked_by'),
    account: belongsTo(User, 'locked_names.user_id'),
  }
}
