/** The monitors that the changes of a batch turn on and off. The rules are those of the single call. */
import type { Knex } from 'knex'
import type { DomainRow } from '../../../feed/rows.ts'
import { turnMonitors } from '../../../monitoring/store/turn-monitors.ts'
import { requireMonitorable, UPTIME } from '../../../rules/monitorable.ts'
import { type Abilities, requireAbility } from '../../../rules/plans.ts'
import { rowRefusal } from '../change-refusals.ts'
import type { ChangeSubject } from './batch-changes.ts'

/** The ids of the domains whose monitors are turned on, and off. */
export interface TurnedMonitors {
  readonly on: readonly string[]
  readonly off: readonly string[]
}

/** Refuses the lines whose monitor cannot be turned. Their rows are locked. */
export function judgeMonitors(
  plan: Abilities,
  subjects: readonly ChangeSubject[],
  rows: readonly DomainRow[],
): TurnedMonitors {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const wanted = (isOn: boolean) =>
    subjects.filter(({ line }) => line.operation.monitor === isOn).map(({ domain }) => domain.id)
  for (const { line, domain } of subjects) {
    const { monitor, version } = line.operation
    const row = byId.get(domain.id)
    if (monitor === undefined || row === undefined) continue
    line.check(() => requireMonitorable(row))
    if (monitor) line.check(() => requireAbility(plan, 'uptime', UPTIME))
    line.refuse(rowRefusal(row, version))
  }
  return { on: wanted(true), off: wanted(false) }
}

/** Turns them. */
export async function turnAll(trx: Knex.Transaction, { on, off }: TurnedMonitors): Promise<void> {
  await turnMonitors(trx, on, true)
  await turnMonitors(trx, off, false)
}
