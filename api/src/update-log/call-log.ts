/*
 * The log of update calls for each name, in which owners see what their router sends and how the
 * service answers.
 *
 *   record ─► buffer in memory ─► at once, or after a pause, one transaction at a time ─► two rings a name
 *
 * The log is an aid and must never delay an update: recording a call costs a map look-up, the
 * buffer is bounded, and entries that PostgreSQL does not accept are kept within the bound and
 * retried. Equal calls become one entry with a count. Calls from callers that are not proven to be
 * the owner go into a small separate ring (`call-log-store.ts`) and a separate buffer, so a
 * stranger cannot push the owner's calls out of either.
 */
import type { Knex } from 'knex'
import { WriteBehind } from '../database/write-behind.ts'
import { CallBuffer, isAccepted, type ReceivedCall } from './call-log-buffer.ts'
import { RING_PLACES, storeCalls } from './call-log-store.ts'
import { storeUpdateTimes } from './update-times.ts'

export type { ReceivedCall } from './call-log-buffer.ts'

/** A single call is stored after this time: an owner who sets up a router waits for it. A router may send two at once. */
const GATHER_MS = 25
/** Shortest time between two writes, so that many calls cost few transactions. */
const REST_MS = 500
/**
 * Pause after a write of many entries, as a multiple of its duration, so that a busy PostgreSQL slows updates only a little.
 */
const REST_FACTOR = 20
const MANY = 50
const REST_LIMIT_MS = 10_000
/**
 * Maximum number of waiting entries. When more names are called in a second, the first are kept and the others cost nothing.
 */
const OWNERS_LIMIT = 1_000
const REFUSED_LIMIT = 250
/**
 * Limit for one name: as many as its ring holds, because a script may try many things at once; few for strangers.
 */
const ownersBuffer = () => new CallBuffer(OWNERS_LIMIT, RING_PLACES.owned)
const refusedBuffer = () => new CallBuffer(REFUSED_LIMIT, 8)
/** Maximum number of waiting times of updates. If there are more, the next updates of those names note them. */
const UPDATES_LIMIT = 20_000
/** Maximum number of entries in one transaction. */
const BATCH = 500

export interface CallLogOptions {
  readonly knex: Knex
  /** Called with the error when calls could not be stored; they are retried. */
  readonly onError: (error: unknown) => void
}

export class CallLog {
  readonly #options: CallLogOptions
  #owners = ownersBuffer()
  #refused = refusedBuffer()
  /** When names got an update without a call in the log. */
  #updates = new Map<string, Date>()
  readonly #storing = new WriteBehind(() => this.#store())
  #dropped = 0
  #restMs = REST_MS
  /** No write begins before, by performance.now(). */
  #restUntil = -Infinity

  constructor(options: CallLogOptions) {
    this.#options = options
  }

  /** Entries dropped since the start because the buffer was full. */
  get dropped(): number {
    return this.#dropped
  }

  /**
   * Whether a call would be stored; called before its texts are built. A call that would not is counted as dropped, and
   * only the time of its update is kept.
   */
  admits(call: Pick<ReceivedCall, 'fqdn' | 'isOwners' | 'answer'>, at: Date): boolean {
    const hasRoom = (call.isOwners ? this.#owners : this.#refused).hasRoomFor(call.fqdn)
    if (hasRoom) return true
    this.#dropped += 1
    if (isAccepted(call)) this.noteUpdate(call.fqdn, at)
    return false
  }

  /** Notes an update that changed nothing and is not a call. It never throws and never waits. */
  noteUpdate(fqdn: string, at: Date): void {
    if (this.#updates.size < UPDATES_LIMIT) this.#updates.set(fqdn, at)
    this.#storeSoon()
  }

  /** Records a call. It never throws and never waits. */
  record(call: ReceivedCall): void {
    this.#dropped += (call.isOwners ? this.#owners : this.#refused).add(call)
    this.#storeSoon()
  }

  /** Stores the calls that wait. It never throws. */
  flush(): Promise<void> {
    return this.#storing.flush()
  }

  /** Stores the calls that wait before the service closes the database, or gives up after a second. */
  stop(): Promise<void> {
    return this.#storing.stop()
  }

  #storeSoon(): void {
    this.#storing.schedule(Math.max(GATHER_MS, this.#restUntil - performance.now()))
  }

  async #store(): Promise<void> {
    const begun = performance.now()
    // Also for calls that arrive during the write.
    this.#restUntil = begun + this.#restMs
    const isMany = this.#owners.size + this.#refused.size + this.#updates.size > MANY
    await this.#storeCalls()
    await this.#storeUpdates()
    const tookMs = performance.now() - begun
    this.#restMs = isMany
      ? Math.min(Math.max(REST_MS, tookMs * REST_FACTOR), REST_LIMIT_MS)
      : REST_MS
    this.#restUntil = performance.now() + this.#restMs
  }

  async #storeCalls(): Promise<void> {
    const calls = [...this.#owners.entries(), ...this.#refused.entries()]
    this.#owners = ownersBuffer()
    this.#refused = refusedBuffer()
    let stored = 0
    try {
      for (; stored < calls.length; stored += BATCH) {
        await storeCalls(this.#options.knex, calls.slice(stored, stored + BATCH))
      }
    } catch (error) {
      this.#options.onError(error)
      this.#putBack(calls.slice(stored))
    }
  }

  async #storeUpdates(): Promise<void> {
    const updates = [...this.#updates]
    this.#updates = new Map()
    let stored = 0
    try {
      for (; stored < updates.length; stored += BATCH) {
        await storeUpdateTimes(this.#options.knex, updates.slice(stored, stored + BATCH))
      }
    } catch (error) {
      this.#options.onError(error)
      for (const [fqdn, at] of updates.slice(stored)) {
        if (!this.#updates.has(fqdn)) this.noteUpdate(fqdn, at)
      }
    }
  }

  /** Entries that could not be stored go before those that arrived meanwhile. */
  #putBack(calls: readonly ReceivedCall[]): void {
    const later = [...this.#owners.entries(), ...this.#refused.entries()]
    this.#owners = ownersBuffer()
    this.#refused = refusedBuffer()
    for (const call of [...calls, ...later]) this.record(call)
  }
}
