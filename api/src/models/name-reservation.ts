import { bigint, nullable, text, timestamptz } from './columns.ts'
import { belongsTo, table } from './table.ts'
import { User } from './user.ts'

/** Deleted names that are reserved for some time. */
export class NameReservation extends table(
  'name_reservations',
  {
    fqdn: text,
    /**
     * The account for which it is reserved. Null: that account was deleted, and the name cannot be
     * registered before the time is over.
     */
    user_id: nullable(bigint),
    reserved_until: timestamptz,
  },
  'fqdn',
) {
  declare account?: User
  static override readonly relationMappings = {
    account: belongsTo(User, 'name_reservations.user_id'),
  }
}
