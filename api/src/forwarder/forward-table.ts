/**
 * What the forwarder answers from: the names of one version of the feed, and the forwards that ended a moment ago.
 *
 * A forward that ends still answers for its time of grace, because caches of DNS still return the forwarder's address.
 * In the same way, a name that stops a wildcard still stops it while the wildcard has a time of grace.
 */
import type { Forward } from './forward.ts'
import { ForwardNames } from './forward-names.ts'

/** The version of the feed's contents: its serial, and the random token of its last change. */
export interface FeedVersion {
  readonly serial: bigint
  readonly feedId: string
  readonly token: string
}

/** The new state of a name. */
export interface ChangedName {
  readonly name: string
  readonly forward: Forward | null
  /** The name left the feed. */
  readonly isRemoved: boolean
  /** How long the former state of the name still counts; 0 ends it at once. */
  readonly graceSeconds: number
}

/** When the former state of a name stops to count, and whether the name then leaves the table. */
export interface Grace {
  /** In milliseconds of the table's clock. */
  readonly endsAtMs: number
  readonly isRemoved: boolean
}

/** The contents at one moment. Forwards never change, so they are shared with the table. */
export interface TableCapture {
  readonly version: FeedVersion
  readonly entries: readonly (readonly [string, Forward | null])[]
  readonly graces: ReadonlyMap<string, Grace>
}

export class ForwardTable {
  readonly #now: () => number
  #names = new ForwardNames()
  #graces = new Map<string, Grace>()
  #version: FeedVersion | undefined

  /** @param now a monotonic clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Undefined until the first snapshot or full read: then nothing is known about any host. */
  get version(): FeedVersion | undefined {
    return this.#version
  }

  get size(): number {
    return this.#names.size
  }

  /** The forward of a host, which is in lower case and has no final dot. */
  find(host: string): Forward | undefined {
    return this.#names.find(host)
  }

  /** Applies all changes of a version in one synchronous step. */
  apply(version: FeedVersion, changes: readonly ChangedName[]): void {
    for (const change of changes) this.#apply(change)
    this.#version = version
  }

  /** Starts with the contents of a snapshot. */
  restore(version: FeedVersion, names: ForwardNames, graces: ReadonlyMap<string, Grace>): void {
    this.#names = names
    this.#graces = new Map(graces)
    this.#version = version
  }

  /**
   * Replaces the contents by those of a full read. Times of grace that have not ended continue for names that are not
   * forwarded any more.
   */
  replace(version: FeedVersion, names: ForwardNames): void {
    const graces = new Map<string, Grace>()
    for (const [name, { endsAtMs }] of this.#graces) {
      const held = this.#names.get(name)
      // The name is forwarded again, or has already the state that it would get.
      if (held === undefined || names.get(name) || names.get(name) === held) continue
      graces.set(name, { endsAtMs, isRemoved: !names.has(name) })
      names.set(name, held)
    }
    this.restore(version, names, graces)
  }

  /** Ends the states whose time of grace is over. @returns how many */
  sweep(): number {
    let ended = 0
    const now = this.#now()
    for (const [name, { endsAtMs, isRemoved }] of this.#graces) {
      if (endsAtMs > now) continue
      this.#end(name, isRemoved)
      ended += 1
    }
    return ended
  }

  /** @returns undefined before the first version */
  capture(): TableCapture | undefined {
    if (this.#version === undefined) return undefined
    return {
      version: this.#version,
      entries: [...this.#names.entries()],
      graces: new Map(this.#graces),
    }
  }

  #apply({ name, forward, isRemoved, graceSeconds }: ChangedName): void {
    if (forward !== null && !isRemoved) {
      this.#graces.delete(name)
      this.#names.set(name, forward)
      return
    }
    if (graceSeconds > 0 && this.#names.has(name)) {
      this.#graces.set(name, { endsAtMs: this.#now() + graceSeconds * 1_000, isRemoved })
    } else this.#end(name, isRemoved)
  }

  #end(name: string, isRemoved: boolean): void {
    this.#graces.delete(name)
    if (isRemoved) this.#names.delete(name)
    else this.#names.set(name, null)
  }
}
