/** Row types of this folder's own SQL statements. */
import type { Domain } from '../models/domain.ts'
import type { Row } from '../models/table.ts'
import type { User } from '../models/user.ts'
import type { Zone } from '../models/zone.ts'

/** The fields of an account that rules about names need, read once its row is locked. */
export type LockedAccount = Pick<
  Row<typeof User>,
  'id' | 'username' | 'account_type' | 'enabled' | 'email_verified_at' | 'credential_version'
>

/** A complete row of `domains`. */
export type DomainRow = Row<typeof Domain>

/** A complete row of `zones`. */
export type ZoneRow = Row<typeof Zone>
