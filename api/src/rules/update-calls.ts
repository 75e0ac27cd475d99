/** Retention of update calls, in days. */
export const CALLS_KEPT_DAYS = 30
