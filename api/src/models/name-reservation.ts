import { bigint, nullable, text, timestamptz } from './columns.ts'
import { belongsTo, table } from './table.ts'
import { User } from './user.ts'

/** Deleted names that are kept for a time. */
export class NameReservation extends table(
  'name_reservations',
  {
    fqdn: text,
    /** For whom it is kept. Null: its account is gone, and nobody gets it before the time is over. */
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
