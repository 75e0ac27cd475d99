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
}

/**
 * The open connections, the one that was served longest ago first.
 *
 * A newcomer is never turned away. Over a limit the connection goes that has got no answer for the
 * longest time, which is one that holds its place and asks nothing, or began a message and does not
 * end it. Over the limit of a network it is one of that network: a crowd crowds out itself.
 */
export class ConnectionTable<T extends Evictable> {
  readonly #limits: ConnectionLimits
  // A Set keeps the order of insertion, so being served is to be taken out and put in again.
  readonly #all = new Set<T>()
  readonly #networks = new Map<string, Set<T>>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  add(connection: T): void {
    const { maxConnections, maxPerNetwork } = this.#limits
    const neighbours = this.#networks.get(connection.network)
    if (neighbours !== undefined && neighbours.size >= maxPerNetwork) this.#evictOldest(neighbours)
    else if (this.#all.size >= maxConnections) this.#evictOldest(this.#all)
    this.#insert(connection)
  }

  /** The connection got an answer. */
  served(connection: T): void {
    if (!this.#all.has(connection)) return
    this.delete(connection)
    this.#insert(connection)
  }

  delete(connection: T): void {
    this.#all.delete(connection)
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

  #evictOldest(connections: ReadonlySet<T>): void {
    const [oldest] = connections
    if (oldest === undefined) return
    // Out of the table at once, because closing it takes a while and the next newcomer may not wait.
    this.delete(oldest)
    oldest.evict()
  }
}
