/**
 * The uptime of monitors: how time is added up by state, and the one formula for percentages.
 *
 * uptime = 100 × up ÷ (up + down). All other time (unknown, maintenance, pauses) is left out.
 */

/** Retention of the five-minute counts of checks. Those of whole days are kept for longer. */
export const MONITOR_COUNTS_DAYS = 35

/** Milliseconds by state. Time without a state (pauses, before the first result) is in none of them. */
export interface StateSums {
  readonly upMs: number
  readonly downMs: number
  readonly unknownMs: number
  readonly maintenanceMs: number
}

/** The states of intervals. `off`: the monitor did not run. */
export type IntervalState = 'up' | 'down' | 'unknown' | 'maintenance' | 'off'

export const NO_TIME: StateSums = { upMs: 0, downMs: 0, unknownMs: 0, maintenanceMs: 0 }

/**
 * The percentage with two decimals, rounded down, so that only a time without any failure is 100.
 *
 * @returns null without data
 */
export function uptimeOf({ upMs, downMs }: Pick<StateSums, 'upMs' | 'downMs'>): number | null {
  const up = BigInt(Math.round(upMs))
  const total = up + BigInt(Math.round(downMs))
  return total === 0n ? null : Number((up * 10_000n) / total) / 100
}

/** Adds time in one state. */
export function withTime(sums: StateSums, state: IntervalState, ms: number): StateSums {
  return state === 'off' ? sums : { ...sums, [`${state}Ms`]: sums[`${state}Ms`] + ms }
}

/** The time between two moments, from the sums of all time before each of them. */
export function timeBetween(before: StateSums, after: StateSums): StateSums {
  return {
    upMs: after.upMs - before.upMs,
    downMs: after.downMs - before.downMs,
    unknownMs: after.unknownMs - before.unknownMs,
    maintenanceMs: after.maintenanceMs - before.maintenanceMs,
  }
}

/** The time of several monitors together. */
export function totalTime(each: readonly StateSums[]): StateSums {
  return each.reduce(
    (sum, { upMs, downMs, unknownMs, maintenanceMs }) => ({
      upMs: sum.upMs + upMs,
      downMs: sum.downMs + downMs,
      unknownMs: sum.unknownMs + unknownMs,
      maintenanceMs: sum.maintenanceMs + maintenanceMs,
    }),
    NO_TIME,
  )
}
