import { ConnectionTable, type ConnectionLimits } from './connection-table.ts'
import type { TcpConnection, TcpTimes } from './tcp-connection.ts'

/** The TCP limits of a server, over all its addresses. */
export type TcpLimits = ConnectionLimits & TcpTimes

// RFC 7766 §6.2.3 asks for a few seconds and leaves the number to the server. A thousand
// connections stay within the usual file descriptor limit of a process, and 32 MiB is far more than
// a thousand clients need if they read their answers.
const DEFAULT_LIMITS: TcpLimits = {
  maxConnections: 1000,
  maxPerNetwork: 500,
  maxHeldBytes: 32 * 1024 * 1024,
  idleMs: 15_000,
  messageMs: 10_000,
}

// Below this load, clients get the full idle timeout.
const UNHURRIED_LOAD = 0.5
// The idle timeout never falls below this.
const LEAST_IDLE_MS = 1000

/**
 * The connections of a server, and their timeouts.
 *
 * Above half of the connection limit, the idle timeout shrinks with every further connection (RFC
 * 7766 §6.2.3, RFC 9210 §4.2). Clients that ask for the timeout get the same number (RFC 7828
 * §3.3.2).
 */
export class TcpCapacity implements TcpTimes {
  readonly connections: ConnectionTable<TcpConnection>
  #limits: TcpLimits

  constructor(limits: Partial<TcpLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.connections = new ConnectionTable(this.#limits)
  }

  /** Changes the limits. Connections apply them when they next wait. */
  configure(limits: Partial<TcpLimits>): void {
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.connections.configure(this.#limits)
  }

  /** The idle timeout at the current load. */
  get idleMs(): number {
    const { idleMs } = this.#limits
    const freeShare = (1 - this.connections.load) / (1 - UNHURRIED_LOAD)
    const hurried = Math.max(LEAST_IDLE_MS, Math.round(idleMs * freeShare))
    return Math.min(idleMs, hurried)
  }

  get messageMs(): number {
    return this.#limits.messageMs
  }
}
