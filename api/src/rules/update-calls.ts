/** How long an update call is told of, in days. */
export const CALLS_KEPT_DAYS = 30
