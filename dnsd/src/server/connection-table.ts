/** A connection that can be asked to go. */
export interface Evictable {
  readonly network: string
  evict(): void
}

export interface ConnectionLimits {
  /** Open connections of all clients together. */
  readonly maxConnections: number
  /** Open connections of one network. */
  readonly maxPerNetwork: number
  /** Octets of unfinished messages and unread answers, of all connections together. */
  readonly maxHeldBytes: number
}

/**
 * The open connections, the one that was served longest ago first.
 *
 * A newcomer is never turned away. Over a limit the connection goes that has got no answer for the
 * longest time, which is one that holds its place and asks nothing, or began a message and does not
 * end it. Over the limit of a network it is one of that network: a crowd crowds out itself. And over
 * the limit of octets it is one that holds some.
 */
export class ConnectionTable<T extends Evictable> {
  #limits: ConnectionLimits
  #heldBytes = 0
  readonly #held = new Map<T, number>()
  // A Set keeps the order of insertion, so being served is to be taken out and put in again.
  readonly #all = new Set<T>()
  readonly #networks = new Map<string, Set<T>>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Other limits from now on. Who is in stays in until another comes. */
  configure(limits: ConnectionLimits): void {
    this.#limits = limits
  }

  /** How much of all places is taken, from 0 to 1. */
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

  /** The connection holds so many octets now, for messages that came half and answers not yet read. */
  holds(connection: T, bytes: number): void {
    const before = this.#held.get(connection) ?? 0
    if (bytes === before || !this.#all.has(connection)) return
    this.#setHeld(connection, bytes)
    while (this.#heldBytes > this.#limits.maxHeldBytes) this.#evictFirst(this.#held.keys())
  }

  /** The connection got an answer. */
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

  /** A copy: closing a connection takes it out of here. */
  all(): T[] {
    return [...this.#all]
  }

  #insert(connection: T): void {
    this.#all.add(connection)
    const neighbours = this.#networks.get(connection.network) ?? new Set()
    this.#networks.set(connection.network, neighbours.add(connection))
  }

  // Those that hold something, in the order in which they began to or were served since.
  #setHeld(connection: T, bytes: number): void {
    this.#heldBytes += bytes - (this.#held.get(connection) ?? 0)
    if (bytes === 0) this.#held.delete(connection)
    else this.#held.set(connection, bytes)
  }

  #evictFirst(connections: Iterable<T>): void {
    const [oldest] = connections
    if (oldest === undefined) return
    // Out of the table at once, because closing it takes a while and the next newcomer may not wait.
    this.delete(oldest)
    oldest.evict()
  }
}
