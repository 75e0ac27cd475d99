/**
 * Checks what the rows say about the rules that every kind of object inherits (`inherited-rules.ts`): for each
 * operation, a new account makes the call, first about a locked domain and then as in its row.
 */
import type { ProblemCode } from '@homing/openapi'
import type { Caller } from '../../support/api-world.ts'
import { bearer, type Reply } from '../../support/calls.ts'
import type { ListedOperation } from '../../support/contract-table.ts'
import { countWorkingCredentials } from '../../../src/credentials/working-credentials.ts'
import { query } from '../../../src/database/sql.ts'
import type { Belongings, Holder } from './belongings.ts'
import type { Cells } from './cells.ts'
import { outcomeOf } from './comparable.ts'
import { type InheritedRules, isExempt } from './inherited-rules.ts'
import type { MatrixCall } from './call-url.ts'
import type { Row } from './row.ts'

type Headers = Caller['headers']

/** An operation that is called about an account's things. */
interface Trial {
  readonly operation: ListedOperation
  readonly row: Row
  readonly rules: InheritedRules
  readonly holder: Holder
  readonly headers: Headers
}

/** The same belongings, with the locked domain in place of every domain. */
const aboutLocked = (its: Belongings): Belongings => ({
  ...its,
  domainId: its.lockedId,
  fqdn: its.lockedFqdn,
  bareId: its.lockedId,
  bareFqdn: its.lockedFqdn,
  forwardId: its.lockedForwardId,
  windowId: its.lockedWindowId,
  recordId: its.lockedRecordId,
})

/** The call that a lock must prevent; undefined if the operation names no domain. */
function callAboutLocked({ row, rules, holder }: Trial, nonce: string): MatrixCall | undefined {
  if (typeof rules.reservation === 'object' && 'registers' in rules.reservation) {
    return rules.reservation.registers(`x.${holder.its.lockedFqdn}`)
  }
  const asked = row.call(aboutLocked(holder.its), nonce)
  const usual = row.call(holder.its, nonce)
  return JSON.stringify(asked) === JSON.stringify(usual) ? undefined : asked
}

async function lockFaults(cells: Cells, trial: Trial): Promise<string[]> {
  const { operation, row, rules, headers } = trial
  const asked = callAboutLocked(trial, cells.matrix.nonce())
  if (asked === undefined) return []
  const { lock } = rules
  if (isExempt(lock)) return [`lock: the call names a domain, so it cannot be ${lock}`]
  const got = outcomeOf(await cells.send(operation, asked, headers))
  const isMade = lock === 'holds' || lock === 'clears'
  const expected = isMade ? (row.answers ?? operation.success.status) : lock
  return got === expected ? [] : [`lock: ${got} instead of ${expected}`]
}

/** Whether the lock still exists after all calls. */
async function lockLeft(cells: Cells, { rules, holder }: Trial): Promise<string[]> {
  const { lockedId, lockId } = holder.its
  const locks = await query(
    cells.matrix.world.knex,
    `select 1 from locked_names l join domains d on d.fqdn = l.fqdn
     where l.id = ? and d.id = ? and d.locked and not d.is_active`,
    [lockId, lockedId],
  )
  const isCleared = locks.length === 0
  if (isCleared === (rules.lock === 'clears')) return []
  return [isCleared ? 'lock: it is gone' : 'lock: it still holds']
}

/** Names that cannot be registered now, with the expected refusals. */
async function forbiddenNames(
  { matrix, cast }: Cells,
  nonce: string,
): Promise<(readonly [string, ProblemCode])[]> {
  const { knex } = matrix.world
  const [gone, kept] = [`gone${nonce}.homing.test`, `kept${nonce}.homing.test`]
  await query(knex, 'insert into locked_names (fqdn) values (?)', [gone])
  await query(
    knex,
    `insert into name_reservations (fqdn, user_id, reserved_until) values (?, ?, now() + interval '1 day')`,
    [kept, cast.owner.its.userId],
  )
  return [
    ['www.homing.test', 'name-not-allowed'],
    ['paypal-login.homing.test', 'name-not-allowed'],
    [gone, 'name-not-allowed'],
    [`x.${gone}`, 'name-not-allowed'],
    [kept, 'name-reserved'],
    [`x.${kept}`, 'name-reserved'],
  ]
}

async function reservationFaults(cells: Cells, trial: Trial): Promise<string[]> {
  const { operation, rules, holder, headers } = trial
  const { reservation } = rules
  if (isExempt(reservation)) return []
  if ('keeps' in reservation) {
    const sql = 'select 1 from name_reservations where user_id = ? and fqdn = any (?::text[])'
    const names = [holder.its.fqdn, holder.its.bareFqdn]
    const kept = await query(cells.matrix.world.knex, sql, [holder.its.userId, names])
    return kept.length > 0 ? [] : ['reservation: no name is kept']
  }
  const faults: string[] = []
  for (const [fqdn, code] of await forbiddenNames(cells, cells.matrix.nonce())) {
    const got = outcomeOf(await cells.send(operation, reservation.registers(fqdn), headers))
    if (got !== code) faults.push(`reservation: ${fqdn}: ${got} instead of ${code}`)
  }
  return faults
}

const STEP_UPS = {
  always: true,
  'with-second-factor': 'with-second-factor',
  'when-widened': 'when-widened',
} as const

async function stepUpFaults(cells: Cells, { operation, row, rules }: Trial): Promise<string[]> {
  const { stepUp } = rules
  const stated = stepUp === 'for-administrators' || isExempt(stepUp) ? undefined : STEP_UPS[stepUp]
  // The unconfirmed callers of `callers.ts` prove that the service enforces what the contract says.
  if (operation.stepUp !== stated) return [`stepUp: the contract says ${operation.stepUp}`]
  if (stepUp !== 'for-administrators') return []
  const colleague = cells.cast.bannedAdministrator.its
  const stale = bearer(cells.cast.unconfirmed.administrator)
  const asked = row.call(colleague, cells.matrix.nonce())
  const got = outcomeOf(await cells.send(operation, asked, stale))
  return got === 'step-up-required' ? [] : [`stepUp: ${got} instead of step-up-required`]
}

/** The number of mails of a kind to the account. */
async function notices(cells: Cells, { rules, holder }: Trial): Promise<number> {
  const [row] = await query<{ count: number }>(
    cells.matrix.world.knex,
    `select count(*)::int as count from pgboss.job
     where coalesce(data ->> 'kind', name) = ? and data ->> 'userId' = ?`,
    [rules.notice, holder.its.userId],
  )
  return row?.count ?? 0
}

/** Whether the call created something, instead of changing something. */
const isNew = ({ status }: Reply) => status === 201

/** The number of credentials of the created kind that a password reset counts; undefined if the call creates none. */
async function listed(cells: Cells, { rules, holder }: Trial): Promise<number | undefined> {
  if (typeof rules.passwordReset !== 'object') return undefined
  const { knex } = cells.matrix.world
  const working = await countWorkingCredentials(knex, holder.its.userId, new Date())
  return working[rules.passwordReset.listed]
}

/** Makes the call of the row. @returns the errors in what it left behind */
async function usualFaults(cells: Cells, trial: Trial): Promise<string[]> {
  const { operation, row, rules, holder, headers } = trial
  const before = await notices(cells, trial)
  const listedBefore = await listed(cells, trial)
  const reply: Reply = await cells.send(
    operation,
    row.call(holder.its, cells.matrix.nonce()),
    headers,
  )
  const isDone = reply.status < 400
  const isTold = isExempt(rules.notice) || (await notices(cells, trial)) > before
  const faults = isDone && !isTold ? [`notice: no mail of the kind ${rules.notice}`] : []
  const expected = listedBefore === undefined ? undefined : listedBefore + Number(isNew(reply))
  const counted = await listed(cells, trial)
  if (counted === expected) return faults
  return [...faults, `passwordReset: ${counted} are counted instead of ${expected}`]
}

/** The caller of the operation, about this account's things. */
function headersOf({ cast }: Cells, { access }: ListedOperation, holder: Holder): Headers {
  if (access === 'public') return {}
  return access === 'administrator' ? cast.administrator.headers : holder.headers
}

/** The errors in what the row says about the rules. */
export async function inheritanceFaults(
  cells: Cells,
  operation: ListedOperation,
  row: Row,
): Promise<string[]> {
  const { inherits: rules } = row
  if (rules === undefined) return []
  const holder = await cells.matrix.holder()
  const headers = headersOf(cells, operation, holder)
  if (rules === 'changes nothing') {
    const before = await cells.contents.now()
    await cells.send(operation, row.call(holder.its, cells.matrix.nonce()), headers)
    const changed = await cells.contents.changedSince(before)
    return changed.map((table) => `${table} was changed`)
  }
  const trial: Trial = { operation, row, rules, holder, headers }
  return [
    ...(await stepUpFaults(cells, trial)),
    ...(await lockFaults(cells, trial)),
    ...(await usualFaults(cells, trial)),
    ...(await reservationFaults(cells, trial)),
    ...(await lockLeft(cells, trial)),
  ]
}
