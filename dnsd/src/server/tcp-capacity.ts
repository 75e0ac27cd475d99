import { ConnectionTable, type ConnectionLimits } from './connection-table.ts'
import type { TcpConnection, TcpTimes } from './tcp-connection.ts'

/** What clients may take of a server over TCP, on all its addresses together. */
export type TcpLimits = ConnectionLimits & TcpTimes

// RFC 7766 §6.2.3 asks for some seconds and leaves the number to the server. A thousand connections
// stay within the file descriptors that a process commonly gets, and 32 MiB are far more than a
// thousand clients need that read their answers.
const DEFAULT_LIMITS: TcpLimits = {
  maxConnections: 1000,
  maxPerNetwork: 500,
  maxHeldBytes: 32 * 1024 * 1024,
  idleMs: 15_000,
  messageMs: 10_000,
}

// While fewer places than this are taken nobody is hurried.
const UNHURRIED_LOAD = 0.5
// And nobody is told to be quicker than this.
const LEAST_IDLE_MS = 1000

/**
 * The connections of a server, and the times that they get.
 *
 * From half of all places on, the time that a connection may be idle shrinks with every further one
 * (RFC 7766 §6.2.3, RFC 9210 §4.2). Clients that ask hear the same number (RFC 7828 §3.3.2).
 */
export class TcpCapacity implements TcpTimes {
  readonly connections: ConnectionTable<TcpConnection>
  #limits: TcpLimits

  constructor(limits: Partial<TcpLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.connections = new ConnectionTable(this.#limits)
  }

  /** Other limits from now on, for connections as they next wait. */
  configure(limits: Partial<TcpLimits>): void {
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.connections.configure(this.#limits)
  }

  /** How long a connection may be idle as things are. */
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
