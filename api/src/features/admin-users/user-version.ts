/** The version of an account, for administrators who change it at the same time. */
import type { AdminUserChange } from '@homing/openapi'
import { hash } from 'node:crypto'
import type { PlanGrant } from '../../models/plan-grant.ts'
import type { Row } from '../../models/table.ts'
import type { User } from '../../models/user.ts'
import { isExpectedVersion } from '../../plugins/if-match.ts'
import { Refusal } from '../../rules/errors.ts'

/** What the version of an account covers. */
export type VersionedUser = Pick<Row<typeof User>, keyof AdminUserChange> & {
  /** The plan that an administrator gave, even if a larger one is paid for. */
  readonly complimentary_plan: PlanGrant['plan'] | null
}

/** What administrators can change about an account. A field of `AdminUserChange` that is missing here does not compile. */
const CHANGEABLE = {
  account_type: true,
  enabled: true,
  email: true,
  given_name: true,
  surname: true,
  // `account_type` writes it, and does not show it while a larger plan is paid for.
  complimentary_plan: true,
} satisfies Record<keyof VersionedUser, true>

const FIELDS = Object.keys(CHANGEABLE) as (keyof VersionedUser)[]

/** 132 bits in base64url: two states of an account never have the same by chance. */
const VERSION_LENGTH = 22

/**
 * A digest of what administrators can change, and not a counter: whatever writes the account needs to know nothing of it,
 * and writes of other columns, such as the last sign-in, leave it as it is.
 */
export function userVersion(user: VersionedUser): string {
  const values = FIELDS.map((field) => user[field])
  return hash('sha256', JSON.stringify(values), 'base64url').slice(0, VERSION_LENGTH)
}

/**
 * @param user read after the account was locked
 * @throws Refusal `version-mismatch`
 */
export function requireUserVersion(
  user: VersionedUser & Pick<Row<typeof User>, 'username'>,
  ifMatch: string | undefined,
): void {
  if (isExpectedVersion(ifMatch, userVersion(user))) return
  throw new Refusal(
    'version-mismatch',
    `The account ${user.username} was changed in the meantime. Read it again, then repeat your change.`,
  )
}
