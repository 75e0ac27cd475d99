import { bigint, text, timestamptz } from './columns.ts'
import { belongsTo, ownedBy, table } from './table.ts'
import { User } from './user.ts'

/** Deleted domains, for finding their history. A trigger writes them. */
export class FormerDomain extends table(
  'former_domains',
  { domain_id: bigint, user_id: bigint, fqdn: text, deleted_at: timestamptz },
  'domain_id',
) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'former_domains.user_id') }
  static override readonly modifiers = { ownedBy }
}
