/** A connection that the table can close. */
export interface Evictable {
  readonly network: string
  evict(): void
}

export interface ConnectionLimits {
  /** The maximum number of open connections of all clients. */
  readonly maxConnections: number
  /** The maximum number of open connections of one network. */
  readonly maxPerNetwork: number
  /** The maximum size of unfinished messages and unread answers of all connections, in octets. */
  readonly maxHeldBytes: number
}

/**
 * The open connections, least recently served first.
 *
 * A new connection is always accepted. Over a limit, the table closes the connection that has gone
 * without an answer for the longest time: it is idle, or it began a message and did not finish it.
 * Over the limit of a network, it closes a connection of that network, so a crowd displaces only
 * itself. Over the limit of octets, it closes a connection that holds some.
 */
export class ConnectionTable<T extends Evictable> {
  #limits: ConnectionLimits
  #heldBytes = 0
  readonly #held = new Map<T, number>()
  // A Set keeps insertion order, so a served connection is deleted and inserted again.
  readonly #all = new Set<T>()
  readonly #networks = new Map<string, Set<T>>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Changes the limits. Open connections stay until a new connection arrives. */
  configure(limits: ConnectionLimits): void {
    this.#limits = limits
  }

  /** The share of the connection limit in use, from 0 to 1. */
  get load(): number {
    return this.#all.size / this.#limits.maxConnections
  }

  add(connection: T): void {
    const { maxConnections, maxPerNetwork } = this.#limits
    const neighbours = this.#networks.get(connection.network)
    if (neighbours !== undefined && neighbours.size >= maxPerNetwork) this.#evictFirst(neighbours)
    else if (this.#all.size >= maxConnections) this.#evictFirst(this.#all)
    this.#insert(connection)
  }

  /** Records how many octets the connection holds in partial messages and unread answers. */
  holds(connection: T, bytes: number): void {
    const before = this.#held.get(connection) ?? 0
    if (bytes === before || !this.#all.has(connection)) return
    this.#setHeld(connection, bytes)
    while (this.#heldBytes > this.#limits.maxHeldBytes) this.#evictFirst(this.#held.keys())
  }

  /** Records that the connection got an answer. */
  served(connection: T): void {
    if (!this.#all.has(connection)) return
    const held = this.#held.get(connection) ?? 0
    this.delete(connection)
    this.#insert(connection)
    this.#setHeld(connection, held)
  }

  delete(connection: T): void {
    this.#all.delete(connection)
    this.#setHeld(connection, 0)
    const neighbours = this.#networks.get(connection.network)
    neighbours?.delete(connection)
    if (neighbours?.size === 0) this.#networks.delete(connection.network)
  }

  get size(): number {
    return this.#all.size
  }

  /** A copy, because closing a connection removes it from the table. */
  all(): T[] {
    return [...this.#all]
  }

  #insert(connection: T): void {
    this.#all.add(connection)
    const neighbours = this.#networks.get(connection.network) ?? new Set()
    this.#networks.set(connection.network, neighbours.add(connection))
  }

  // The connections that hold octets, ordered by when they began to or were last served.
  #setHeld(connection: T, bytes: number): void {
    this.#heldBytes += bytes - (this.#held.get(connection) ?? 0)
    if (bytes === 0) this.#held.delete(connection)
    else this.#held.set(connection, bytes)
  }

  #evictFirst(connections: Iterable<T>): void {
    const [oldest] = connections
    if (oldest === undefined) return
    // Removed at once, because closing takes a while and the next connection must not wait.
    this.delete(oldest)
    oldest.evict()
  }
}
