/*
 * The update calls that were received for each name, so that people see what their router
 * sends and what it was answered.
 *
 *   record ─► buffer in memory ─► each second or so, one transaction at a time ─► two rings a name
 *
 * It is an aid for people and never worth an update: putting a call down costs a look into
 * a map, what waits is bounded, and what PostgreSQL does not take is kept within the bound
 * and tried again. Calls that were equal are one entry with a count. Whoever is not shown to
 * be a name's owner writes into a small ring of its own (`call-log-store.ts`), and waits in
 * a buffer of its own, so a stranger cannot push the owner's calls out of either.
 */
import type { Knex } from 'knex'
import { WriteBehind } from '../database/write-behind.ts'
import { CallBuffer, type ReceivedCall } from './call-log-buffer.ts'
import { RING_PLACES, storeCalls } from './call-log-store.ts'

export type { ReceivedCall } from './call-log-buffer.ts'

const FLUSHED_EVERY_MS = 1_000
/** A busy PostgreSQL is given so many times the rest that storing took, so that updates feel little of it. */
const REST_FACTOR = 20
const REST_LIMIT_MS = 10_000
/** Most entries that wait. A service that hears of more names in a second keeps the first, and pays nothing for the others. */
const OWNERS_LIMIT = 1_000
const REFUSED_LIMIT = 250
/** Most of one name: all that its ring can hold, since a script may try many things at once; few of strangers. */
const ownersBuffer = () => new CallBuffer(OWNERS_LIMIT, RING_PLACES.owned)
const refusedBuffer = () => new CallBuffer(REFUSED_LIMIT, 8)
/** Entries of one transaction. */
const BATCH = 500

export interface CallLogOptions {
  readonly knex: Knex
  /** Hears why calls could not be stored; they are tried again. */
  readonly onError: (error: unknown) => void
}

export class CallLog {
  readonly #options: CallLogOptions
  #owners = ownersBuffer()
  #refused = refusedBuffer()
  readonly #storing = new WriteBehind(() => this.#store())
  #dropped = 0
  #restMs = FLUSHED_EVERY_MS

  constructor(options: CallLogOptions) {
    this.#options = options
  }

  /** Entries that were given up since the start, because too many were waiting. */
  get dropped(): number {
    return this.#dropped
  }

  /** Whether a call would be kept, asked before its texts are put together; one that would not is counted as given up. */
  admits({ fqdn, isOwners }: Pick<ReceivedCall, 'fqdn' | 'isOwners'>): boolean {
    const hasRoom = (isOwners ? this.#owners : this.#refused).hasRoomFor(fqdn)
    if (!hasRoom) this.#dropped += 1
    return hasRoom
  }

  /** Puts a call down. It never throws and never waits. */
  record(call: ReceivedCall): void {
    this.#dropped += (call.isOwners ? this.#owners : this.#refused).add(call)
    this.#storing.schedule(this.#restMs)
  }

  /** Stores the calls that wait. It never throws. */
  flush(): Promise<void> {
    return this.#storing.flush()
  }

  /** Stores the calls that wait before the service closes the database, or gives up after a second. */
  stop(): Promise<void> {
    return this.#storing.stop()
  }

  async #store(): Promise<void> {
    const calls = [...this.#owners.entries(), ...this.#refused.entries()]
    this.#owners = ownersBuffer()
    this.#refused = refusedBuffer()
    if (calls.length === 0) return
    const begun = performance.now()
    let stored = 0
    try {
      for (; stored < calls.length; stored += BATCH) {
        await storeCalls(this.#options.knex, calls.slice(stored, stored + BATCH))
      }
    } catch (error) {
      this.#options.onError(error)
      this.#putBack(calls.slice(stored))
    }
    const tookMs = performance.now() - begun
    this.#restMs = Math.min(Math.max(FLUSHED_EVERY_MS, tookMs * REST_FACTOR), REST_LIMIT_MS)
  }

  /** What could not be stored goes before what came meanwhile. */
  #putBack(calls: readonly ReceivedCall[]): void {
    const later = [...this.#owners.entries(), ...this.#refused.entries()]
    this.#owners = ownersBuffer()
    this.#refused = refusedBuffer()
    for (const call of [...calls, ...later]) this.record(call)
  }
}
