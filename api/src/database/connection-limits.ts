/** How long one client of the database can make others wait. */

/** Longest wait for a lock, longest statement and longest idle transaction, in milliseconds. */
export interface ConnectionLimits {
  readonly lockMs: number
  readonly statementMs: number
  readonly idleInTransactionMs: number
}

export const SERVICE_LIMITS: ConnectionLimits = {
  lockMs: 2_000,
  statementMs: 5_000,
  idleInTransactionMs: 5_000,
}

/** Scripts that process a whole zone need longer statements, never longer locks. */
export const SCRIPT_LIMITS: ConnectionLimits = { ...SERVICE_LIMITS, statementMs: 600_000 }

/** The settings of each new session; `tcp_user_timeout` detects a dead peer. */
export function sessionOptions(limits: ConnectionLimits): string {
  return [
    `-c lock_timeout=${limits.lockMs}`,
    `-c statement_timeout=${limits.statementMs}`,
    `-c idle_in_transaction_session_timeout=${limits.idleInTransactionMs}`,
    `-c tcp_user_timeout=5000`,
    `-c timezone=UTC`,
  ].join(' ')
}
