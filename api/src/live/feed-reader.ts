/** Where this process is in the feed, and what came after it. */
import type { Knex } from 'knex'
import { BEFORE_ALL, readSerials, readTouched, type Touched } from './changes.ts'
import type { FeedPosition } from './feed-position.ts'

export class FeedReader {
  readonly #knex: Knex
  readonly #held = new Map<string, bigint>()
  /** Zones that have moved. */
  #stale = new Set<string>()

  constructor(knex: Knex) {
    this.#knex = knex
  }

  /** Begins with the present state. */
  async begin(): Promise<void> {
    for (const [zoneId, serial] of await readSerials(this.#knex)) this.#held.set(zoneId, serial)
  }

  /** A zone has moved. */
  markStale(zoneId: string): void {
    this.#stale.add(zoneId)
  }

  /** Finds zones that have moved without a notification. */
  async poll(): Promise<void> {
    for (const [zoneId, serial] of await readSerials(this.#knex)) {
      if (this.#held.get(zoneId) !== serial) this.#stale.add(zoneId)
    }
  }

  /** What came after the position, in the zones that have moved. `moveTo` makes it the position. */
  async read(): Promise<Touched | undefined> {
    const stale = this.#stale
    if (stale.size === 0) return undefined
    const since = [...stale].map((id) => [id, this.#held.get(id) ?? BEFORE_ALL] as const)
    // Notifications that come during the read count for the next one.
    this.#stale = new Set()
    try {
      const touched = await readTouched(this.#knex, new Map(since))
      return touched.moved.size === 0 ? undefined : touched
    } catch (error) {
      for (const zoneId of stale) this.#stale.add(zoneId)
      throw error
    }
  }

  moveTo({ moved }: Touched): void {
    for (const [zoneId, serial] of moved) this.#held.set(zoneId, serial)
  }

  /** What was read could not be sent; the next turn reads it again. */
  keep({ moved }: Touched): void {
    for (const zoneId of moved.keys()) this.#stale.add(zoneId)
  }

  /** The position in some zones. */
  positionIn(zoneIds: Iterable<string>): FeedPosition {
    const known = [...zoneIds].flatMap((zoneId) => {
      const serial = this.#held.get(zoneId)
      return serial === undefined ? [] : [[zoneId, serial] as const]
    })
    return new Map(known)
  }
}
