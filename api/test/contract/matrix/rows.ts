/**
 * The rows of the route matrix: how each operation of the contract is called, and about what.
 *
 * An operation without a row does not compile, and fails `route-matrix.test.ts`. A new one takes a line in the file of
 * its subject below `rows/`:
 *
 *     renameThing: {
 *       call: (its) => ({ params: { id: its.thingId }, body: { name: 'x' } }),   // a call that is right, about things of `its`
 *       ability: 'things',                                                      // where only some plans have it
 *       answers: 202,                                                           // where it is not the operation's own status
 *       inherits: LABELS,                                                       // of whatever is not a GET: `inherited-rules.ts`
 *     },
 *
 * Who must be refused, and how, follows from the operation's `access` (`callers.ts`). Where the call names something
 * (it differs between the belongings of two people), everybody but its owner must get what is answered about a thing
 * that nobody has. `probes` are further calls that name something: ids in bodies, queries and filters.
 */
import type { Row, Rows } from './row.ts'
import { ACCOUNT_ROWS } from './rows/account.ts'
import { ADMIN_ROWS } from './rows/admin.ts'
import { DOMAIN_ROWS } from './rows/domains.ts'
import { KEY_ROWS } from './rows/keys.ts'
import { SIGN_IN_ROWS } from './rows/sign-in.ts'
import { UPDATE_ROWS } from './update-rows.ts'

const ROWS = {
  ...SIGN_IN_ROWS,
  ...ACCOUNT_ROWS,
  ...DOMAIN_ROWS,
  ...KEY_ROWS,
  ...ADMIN_ROWS,
} satisfies Rows

/** What has a row of any kind. */
export const ROW_IDS: readonly string[] = [...Object.keys(ROWS), ...Object.keys(UPDATE_ROWS)]

export function rowOf(operationId: string): Row {
  const row = (ROWS as Readonly<Record<string, Row>>)[operationId]
  if (row === undefined) throw new Error(`${operationId} has no row in the route matrix (rows.ts)`)
  return row
}
