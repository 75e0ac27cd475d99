/** How many checks of delegations ended how since the start of this process, for the metrics. */
import type { DelegationChecks } from './types.ts'

/** `busy`: too many checks were waiting. `failed`: the check itself failed. */
export type CheckOutcome = 'right' | 'wrong' | 'busy' | 'failed'

const counted = new WeakMap<DelegationChecks, Map<CheckOutcome, number>>()

/** Notes that a check ended. */
export function countCheck(checks: DelegationChecks, outcome: CheckOutcome): void {
  const counts = counted.get(checks) ?? new Map<CheckOutcome, number>()
  counted.set(checks, counts)
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
}

export const checkCounts = (checks: DelegationChecks): ReadonlyMap<CheckOutcome, number> =>
  counted.get(checks) ?? new Map()
