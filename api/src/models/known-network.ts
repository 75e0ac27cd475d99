import { bigint, text, timestamptz } from './columns.ts'
import { belongsTo, ownedBy, table } from './table.ts'
import { User } from './user.ts'

/** Networks from which an account's correct password was recently given. */
export class KnownNetwork extends table(
  'known_networks',
  { user_id: bigint, network: text, seen_at: timestamptz },
  ['user_id', 'network'],
) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'known_networks.user_id') }
  static override readonly modifiers = { ownedBy }
}
