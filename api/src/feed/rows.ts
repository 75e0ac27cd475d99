/** Plain rows that this room reads by statements of its own. */
import type { Domain } from '../models/domain.ts'
import type { Row } from '../models/table.ts'
import type { User } from '../models/user.ts'
import type { Zone } from '../models/zone.ts'

/** What rules about names need of an account, as it is once its row is locked. */
export type LockedAccount = Pick<
  Row<typeof User>,
  'id' | 'username' | 'account_type' | 'enabled' | 'email_verified_at' | 'credential_version'
>

/** A row of `domains`, whole. */
export type DomainRow = Row<typeof Domain>

/** A row of `zones`, whole. */
export type ZoneRow = Row<typeof Zone>
