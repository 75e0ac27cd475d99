/** Turns the monitors of domains on and off. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { USUAL_INTERVAL_SECONDS } from '../../rules/monitor-settings.ts'
import { settleMonitors } from './run-monitors.ts'

// A monitor that found nothing looks again when it is turned on again.
const ON = `
  insert into monitors (domain_id, user_id, state, interval_seconds)
  select d.id, d.user_id, 'off', greatest(p.monitor_interval, ?)
  from domains d join users u on u.id = d.user_id join plans p on p.account_type = u.account_type
  where d.id = any (?::bigint[])
  order by d.id
  on conflict (domain_id) do update
    set is_enabled = true, state = case monitors.state when 'undecided' then 'off' else monitors.state end
    where not monitors.is_enabled or monitors.state = 'undecided'`

const OFF =
  'update monitors set is_enabled = false where domain_id = any (?::bigint[]) and is_enabled'

/**
 * Turns monitors on or off; those that already are stay as they are. The caller holds the account, its plan and the
 * domains, which are its own and are not wildcards.
 */
export async function turnMonitors(
  trx: Knex.Transaction,
  domainIds: readonly string[],
  isEnabled: boolean,
): Promise<void> {
  if (domainIds.length === 0) return
  if (isEnabled) await query(trx, ON, [USUAL_INTERVAL_SECONDS, domainIds])
  else await query(trx, OFF, [domainIds])
  await settleMonitors(trx, { domainIds })
}
