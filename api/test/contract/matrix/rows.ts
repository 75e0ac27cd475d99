/**
 * The rows of the route matrix: how each operation of the contract is called.
 *
 * An operation without a row does not compile, and fails `route-matrix.test.ts`. Add the row to the file of its subject
 * below `rows/`:
 *
 *     renameThing: {
 *       call: (its) => ({ params: { id: its.thingId }, body: { name: 'x' } }),   // a valid call about things of `its`
 *       ability: 'things',                                                      // if only some plans have it
 *       answers: 202,                                                           // if it differs from the operation's own status
 *       inherits: LABELS,                                                       // except for GET: `inherited-rules.ts`
 *     },
 *
 * The callers that must be refused follow from the operation's `access` (`callers.ts`). If the call names a thing (it
 * differs between the belongings of two accounts), every caller except its owner must get the response for a thing that
 * does not exist. `probes` are further calls that name a thing: ids in bodies, queries and filters.
 */
import type { Row, Rows } from './row.ts'
import { ACCOUNT_ROWS } from './rows/account.ts'
import { ADMIN_ROWS } from './rows/admin.ts'
import { DOMAIN_ROWS } from './rows/domains.ts'
import { KEY_ROWS } from './rows/keys.ts'
import { MONITOR_ROWS } from './rows/monitors.ts'
import { OWN_ZONE_ROWS } from './rows/own-zones.ts'
import { PAYMENT_ROWS } from './rows/payments.ts'
import { QUERY_ROWS } from './rows/queries.ts'
import { RECORD_ROWS } from './rows/records.ts'
import { SIGN_IN_ROWS } from './rows/sign-in.ts'
import { UPDATE_ROWS } from './update-rows.ts'

const ROWS = {
  ...SIGN_IN_ROWS,
  ...ACCOUNT_ROWS,
  ...DOMAIN_ROWS,
  ...RECORD_ROWS,
  ...MONITOR_ROWS,
  ...OWN_ZONE_ROWS,
  ...QUERY_ROWS,
  ...KEY_ROWS,
  ...PAYMENT_ROWS,
  ...ADMIN_ROWS,
} satisfies Rows

/** The operations that have a row of any kind. */
export const ROW_IDS: readonly string[] = [...Object.keys(ROWS), ...Object.keys(UPDATE_ROWS)]

export function rowOf(operationId: string): Row {
  const row = (ROWS as Readonly<Record<string, Row>>)[operationId]
  if (row === undefined) throw new Error(`${operationId} has no row in the route matrix (rows.ts)`)
  return row
}
