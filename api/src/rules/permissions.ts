/** Who may make administrative calls. API keys never can, not even those of administrators (`plugins/auth.ts`). */
import { type Permission, PERMISSIONS } from '@homing/openapi/vocabulary'

const ALL: ReadonlySet<Permission> = new Set(PERMISSIONS)
const NONE: ReadonlySet<Permission> = new Set()

/** The permissions of an account. An administrator has all of them. */
export const permissionsOf = (accountType: string): ReadonlySet<Permission> =>
  accountType === 'admin' ? ALL : NONE
