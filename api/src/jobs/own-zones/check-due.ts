/** Checks the delegations of own zones whose check is due. `rules/zone-checks.ts` says when that is. */
import { query } from '../../database/sql.ts'
import { type CheckServices, checkZone } from '../../features/own-zones/check-zone.ts'
import type { ZoneMetrics } from './metrics.ts'

/** Walks at once: each sends some hundred queries, nearly always to servers of others. */
const CONCURRENCY = 4
/** When a claimed check is due again if it fails or the worker ends. Its result replaces this time. */
const CLAIM_MS = 600_000

// Several workers take different zones. A zone that dnsd does not answer for would only be found broken.
const CLAIM = `
  with due as (
    select c.id from zone_claims c
    join users u on u.id = c.user_id and u.enabled
    join plans p on p.account_type = u.account_type and p.account_type <> 'disabled'
    where c.next_check_at <= ?
      and (c.state = 'active' or (c.state = 'pending' and 'vanity_ns' = any (p.abilities)))
    order by c.next_check_at limit ${CONCURRENCY} for update of c skip locked
  )
  update zone_claims c set next_check_at = ? from due where c.id = due.id
  returning c.id`

export interface ZoneChecks {
  readonly checked: number
}

async function checkOne(
  services: CheckServices,
  id: string,
  metrics: ZoneMetrics | undefined,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const began = performance.now()
  const outcome = { failed: true, isRight: false }
  try {
    await checkZone(services, id, 'automatic', stopping)
    const [found] = await query<{ is_right: boolean | null }>(
      services.knex,
      `select (last_check ->> 'is_right')::boolean as is_right from zone_claims where id = ?`,
      [id],
    )
    outcome.failed = false
    outcome.isRight = found?.is_right === true
  } finally {
    const name = outcome.failed ? 'failed' : outcome.isRight ? 'right' : 'wrong'
    metrics?.checks.inc({ outcome: name })
    metrics?.seconds.observe((performance.now() - began) / 1_000)
  }
}

/**
 * Checks the zones that are due. A failure does not stop the checks of the others.
 *
 * @param stopping no check begins after it is aborted
 * @throws AggregateError with the failures, after all others were checked
 */
export async function checkDueZones(
  services: CheckServices,
  metrics?: ZoneMetrics,
  stopping?: AbortSignal,
): Promise<ZoneChecks> {
  let checked = 0
  const faults: unknown[] = []
  for (;;) {
    if (stopping?.aborted === true) break
    const at = services.now()
    const again = new Date(at.getTime() + CLAIM_MS)
    const due = await query<{ id: string }>(services.knex, CLAIM, [at, again])
    if (due.length === 0) break
    const outcomes = await Promise.allSettled(
      due.map(({ id }) => checkOne(services, id, metrics, stopping)),
    )
    checked += due.length
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') faults.push(outcome.reason)
    }
  }
  if (faults.length > 0) {
    throw new AggregateError(faults, `${faults.length} of ${checked} zones could not be checked`)
  }
  return { checked }
}
