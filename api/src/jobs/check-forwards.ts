/**
 * Checks once a day whether the targets of stealth forwards can still be shown in a frame. A forward whose target refuses
 * frames acts as a redirect until its target allows them again.
 */
import type { Knex } from 'knex'
import { SYSTEM } from '../feed/address-change.ts'
import { changeForward } from '../feed/forwards.ts'
import { holdOwnedDomain } from '../feed/lock-order.ts'
import {
  type CheckServices,
  type Examined,
  examineTarget,
} from '../features/web-forwards/check-target.ts'
import { WebForward, type WebForwardRow } from '../models/web-forward.ts'
import { query } from '../database/sql.ts'
import { fallbackAfterCheck } from '../rules/forward-settings.ts'

const DAY_MS = 86_400_000
/** A check waits at most ten seconds, nearly always for somebody else's server. */
const CONCURRENCY = 8

/** When a claimed forward is due again if its check fails or the worker ends. The result of a check replaces this time. */
const CLAIM_MS = 600_000

// Several workers take different forwards, and each forward once. The index `web_forwards_check` has the order and the
// time, so that a claim reads only what it takes.
export const CLAIM = `
  with due as (
    select f.id from web_forwards f
    where f.forwarding_type = 'stealth' and f.is_active and f.disabled_at is null
      and coalesce(f.checked_at, '-infinity') <= ?
    order by coalesce(f.checked_at, '-infinity') limit ? for update skip locked
  )
  update web_forwards f set checked_at = ? from due, domains d
  where f.id = due.id and d.id = f.domain_id
  returning f.id, f.user_id, f.domain_id, f.target_url, d.fqdn`

interface ClaimedForward {
  readonly id: string
  readonly user_id: string
  readonly domain_id: string
  readonly target_url: string
  readonly fqdn: string
}

/** Stores what a check found. @returns whether the forward acts differently now */
async function store(
  trx: Knex.Transaction,
  { id, user_id, domain_id, target_url }: ClaimedForward,
  { result, fallback }: Examined,
): Promise<boolean> {
  const base = (await holdOwnedDomain(trx, user_id, domain_id))?.domain
  const [held] = await WebForward.query(trx).where({ id }).toKnexQuery<WebForwardRow>()
  // Its owner deleted or changed it meanwhile; a change has its own check.
  if (base === undefined || held?.target_url !== target_url) return false
  const after = await changeForward(
    trx,
    base,
    held,
    {
      fallback: fallbackAfterCheck(held.fallback, fallback),
      checked_at: new Date(result.checked_at),
      check_result: result,
    },
    SYSTEM,
  )
  return after.fallback !== held.fallback
}

/** How many forwards were checked, and how many of them act differently now. */
export interface ForwardChecks {
  readonly checked: number
  readonly changed: number
}

/**
 * Checks the stealth forwards that were last checked a day ago or before. A failure does not stop the checks of the others.
 *
 * @param stopping no check begins after it is aborted
 * @throws AggregateError with the failures, after all others were checked
 */
export async function checkForwards(
  services: CheckServices,
  stopping?: AbortSignal,
): Promise<ForwardChecks> {
  const { knex, now } = services
  let [checked, changed] = [0, 0]
  const faults: unknown[] = []
  const before = new Date(now().getTime() - DAY_MS)
  for (;;) {
    const claimed = new Date(now().getTime() - DAY_MS + CLAIM_MS)
    const due =
      stopping?.aborted === true
        ? []
        : await query<ClaimedForward>(knex, CLAIM, [before, CONCURRENCY, claimed])
    if (due.length === 0) break
    const outcomes = await Promise.allSettled(
      due.map(async (forward) => {
        const target = new URL(forward.target_url)
        const found = await examineTarget(services, { target, fqdn: forward.fqdn })
        return knex.transaction((trx) => store(trx, forward, found))
      }),
    )
    checked += due.length
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') faults.push(outcome.reason)
      else if (outcome.value) changed += 1
    }
  }
  if (faults.length > 0) {
    throw new AggregateError(faults, `${faults.length} of ${checked} targets could not be checked`)
  }
  return { checked, changed }
}
