/*
 * The coalescer: many address changes, few commits.
 *
 * A commit costs one flush to disk, and NOTIFY holds a lock of the whole instance until that flush
 * is done. One transaction for each update therefore gives some thousand a second, however many
 * connections there are. So updates that arrive together share a transaction. Updates that arrive
 * during a transaction form the next batch, and under load transactions begin some milliseconds
 * apart. An idle service writes immediately, a busy one batches (docs/decisions/0052).
 *
 *   submit ─► turn ─► read lane ───────────────► verdict (nothing to write)
 *                        │                          ▲
 *                        └─► write lane ─► COMMIT ──┘
 *                        ▲        │
 *                        └────────┘ held by another transaction, or changed meanwhile
 *
 * Only one change of a name is in progress. Another change of the same name waits, so each is
 * judged against the result of the one before it. The read lane decides `nochg` and every refusal
 * with one query for all waiting changes; a caller that has already read the name goes straight to
 * the write lanes. The write lanes take rows with SKIP LOCKED: a row that another replica or an
 * administrator holds delays its own caller only.
 *
 * A verdict is given after COMMIT and never from memory. A batch that PostgreSQL refuses because of
 * one row is retried row by row, so only that row fails. When PostgreSQL is unreachable, every
 * waiting caller gets UpdateNotStored immediately. The queue is bounded; beyond the bound, callers
 * get Overloaded immediately.
 */
import type { Knex } from 'knex'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { isDatabaseAway } from '../database/silence.ts'
import { judge, write } from './address-batch.ts'
import { type AddressChange, Overloaded, UpdateNotStored, type Verdict } from './address-change.ts'

export interface CoalescerOptions {
  readonly knex: Knex
  /** Maximum number of updates in one transaction. */
  readonly maxBatch?: number
  /** Maximum number of updates waiting or in progress. */
  readonly maxQueued?: number
  /** Concurrent transactions: while one waits for the disk, the next can prepare. */
  readonly writeLanes?: number
}

interface Waiting {
  readonly change: AddressChange
  readonly give: (verdict: Verdict) => void
  readonly fail: (error: Error) => void
  /** The name's version when it was last found to differ. */
  seenVersion: number | undefined
  /** When another transaction was first found to hold the row, by performance.now(). */
  heldSince: number | undefined
}

/**
 * Interval between the starts of transactions under load, in milliseconds. To PostgreSQL a transaction costs as much as
 * ten more changes in an existing one: at a thousand changes a second this leaves half of its processor time to reads.
 */
const GATHER_MS = 4
/** A batch of this size starts immediately. */
const FULL_BATCH = 32
/** Judging is cheap: one query takes four write batches. */
const READS_PER_WRITE = 4
/** Pause before a retry when other transactions held every row of a batch. */
const HELD_PAUSE_MS = 5
/**
 * Longest wait for a row that other transactions hold; longer than any of this service's
 * transactions can last.
 */
const HELD_LIMIT_MS = 5_000

/**
 * SQLSTATE classes that blame a row (data, constraint) or this combination of rows (deadlock). All
 * others mean that PostgreSQL cannot serve any row now.
 */
const ROW_FAULTS = new Set(['22', '23', '40'])

function blamesRows(error: unknown): boolean {
  return error instanceof DatabaseError && ROW_FAULTS.has((error.code ?? '').slice(0, 2))
}

export class AddressCoalescer {
  readonly #knex: Knex
  readonly #maxBatch: number
  readonly #maxQueued: number
  readonly #writeLanes: number
  /** Changes that wait behind the one in progress, by domain id. */
  readonly #turns = new Map<string, Waiting[]>()
  #toRead: Waiting[] = []
  #toWrite: Waiting[] = []
  #isReading = false
  #writing = 0
  /** When the last transaction began, by performance.now(), and its number of changes. */
  #lastWrite = { beganAt: -Infinity, size: 0 }
  #isGathering = false
  #queued = 0
  #whenEmpty: (() => void)[] = []

  constructor(options: CoalescerOptions) {
    this.#knex = options.knex
    this.#maxBatch = options.maxBatch ?? 128
    this.#maxQueued = options.maxQueued ?? 10_000
    this.#writeLanes = options.writeLanes ?? 2
  }

  /** Updates waiting or in progress. */
  get queued(): number {
    return this.#queued
  }

  /**
   * Stores a change of addresses. The change is durable before the verdict `changed` is given.
   *
   * @throws Overloaded, UpdateNotStored
   */
  async submit(change: AddressChange): Promise<Verdict> {
    if (this.#queued >= this.#maxQueued) throw new Overloaded(this.#queued)
    this.#queued += 1
    return new Promise((give, fail) => {
      const { seenVersion } = change
      const waiting: Waiting = { change, give, fail, seenVersion, heldSince: undefined }
      const behind = this.#turns.get(change.domainId)
      if (behind !== undefined) {
        behind.push(waiting)
        return
      }
      this.#turns.set(change.domainId, [])
      // A caller that has just read the name has judged the change. The write judges it again under the
      // lock, and returns it if it no longer applies.
      if (seenVersion !== undefined) this.#toWrite.push(waiting)
      else this.#toRead.push(waiting)
      this.#wake()
    })
  }

  /** Resolves when every submitted change has its verdict. */
  async drain(): Promise<void> {
    if (this.#queued === 0) return
    await new Promise<void>((resolve) => this.#whenEmpty.push(resolve))
  }

  #wake(): void {
    if (!this.#isReading && this.#toRead.length > 0) void this.#read()
    while (this.#writing < this.#writeLanes && this.#toWrite.length > 0) {
      const pauseMs = this.#pauseMs()
      if (pauseMs > 0) {
        this.#wakeAfter(pauseMs)
        return
      }
      void this.#write()
    }
  }

  #wakeAfter(pauseMs: number): void {
    if (this.#isGathering) return
    this.#isGathering = true
    setTimeout(() => {
      this.#isGathering = false
      this.#wake()
    }, pauseMs)
  }

  /** How long the next transaction waits for more changes. A single change with no transaction in progress does not wait. */
  #pauseMs(): number {
    const waiting = this.#toWrite.length
    const isAlone = this.#writing === 0 && this.#lastWrite.size <= 1 && waiting === 1
    if (isAlone || waiting >= FULL_BATCH) return 0
    return this.#lastWrite.beganAt + GATHER_MS - performance.now()
  }

  /** Answers one caller and starts the next change of the same name. */
  #settle(waiting: Waiting, outcome: Verdict | Error): void {
    const { domainId } = waiting.change
    const next = this.#turns.get(domainId)?.shift()
    if (next === undefined) this.#turns.delete(domainId)
    else this.#toRead.push(next)
    this.#answer(waiting, outcome)
  }

  #answer(waiting: Waiting, outcome: Verdict | Error): void {
    if (outcome instanceof Error) waiting.fail(outcome)
    else waiting.give(outcome)
    this.#queued -= 1
    if (this.#queued > 0) return
    for (const resolve of this.#whenEmpty.splice(0)) resolve()
  }

  /**
   * Runs a step for a batch. When PostgreSQL blames rows, runs it again for each row alone.
   *
   * @returns whether PostgreSQL was reachable
   */
  async #attempt(
    batch: readonly Waiting[],
    step: (batch: readonly Waiting[]) => Promise<void>,
  ): Promise<boolean> {
    try {
      await step(batch)
    } catch (error) {
      if (batch.length > 1 && blamesRows(error)) return this.#attemptEach(batch, step)
      const isAway = isDatabaseAway(error)
      if (isAway) this.#failBehind(error)
      for (const waiting of batch) this.#settle(waiting, new UpdateNotStored(error))
      return !isAway
    }
    return true
  }

  async #attemptEach(
    batch: readonly Waiting[],
    step: (batch: readonly Waiting[]) => Promise<void>,
  ): Promise<boolean> {
    for (const [n, waiting] of batch.entries()) {
      if (await this.#attempt([waiting], step)) continue
      const error = new UpdateNotStored(
        new Error('the connection to PostgreSQL was lost before the update was written'),
      )
      for (const behind of batch.slice(n + 1)) this.#settle(behind, error)
      return false
    }
    return true
  }

  /** Fails all queued changes: each would wait as long in turn and get the same error. */
  #failBehind(error: unknown): void {
    const outcome = new UpdateNotStored(error)
    for (const behind of this.#turns.values()) {
      for (const waiting of behind.splice(0)) this.#answer(waiting, outcome)
    }
    const queued = [...this.#toRead.splice(0), ...this.#toWrite.splice(0)]
    for (const waiting of queued) this.#settle(waiting, outcome)
  }

  async #read(): Promise<void> {
    this.#isReading = true
    const batch = this.#toRead.splice(0, this.#maxBatch * READS_PER_WRITE)
    await this.#attempt(batch, async (part) => {
      const verdicts = await judge(
        this.#knex,
        part.map(({ change }) => change),
      )
      if (verdicts.length !== part.length) throw new Error('each change has one verdict')
      for (const [n, verdict] of verdicts.entries()) {
        const waiting = part[n] as Waiting
        if (verdict.kind !== 'change') {
          this.#settle(waiting, verdict)
          continue
        }
        waiting.seenVersion = verdict.version
        this.#toWrite.push(waiting)
      }
    })
    this.#isReading = false
    this.#wake()
  }

  async #write(): Promise<void> {
    this.#writing += 1
    const batch = this.#toWrite.splice(0, this.#maxBatch)
    this.#lastWrite = { beganAt: performance.now(), size: batch.length }
    await this.#attempt(batch, async (part) => {
      const versions = await write(this.#knex, part)
      const skipped: Waiting[] = []
      for (const [n, waiting] of part.entries()) {
        const version = versions[n]
        if (version === undefined) skipped.push(waiting)
        else this.#settle(waiting, { kind: 'changed', version })
      }
      this.#readAgain(skipped, skipped.length === part.length)
    })
    this.#writing -= 1
    this.#wake()
  }

  /** Returns changes to the read lane; `stuck` when other transactions held the whole batch. */
  #readAgain(skipped: readonly Waiting[], stuck: boolean): void {
    const now = performance.now()
    const patient: Waiting[] = []
    for (const waiting of skipped) {
      waiting.heldSince ??= now
      if (now - waiting.heldSince < HELD_LIMIT_MS) patient.push(waiting)
      else
        this.#settle(
          waiting,
          new UpdateNotStored(new Error('other transactions hold the lock on the row')),
        )
    }
    if (!stuck) {
      this.#toRead.push(...patient)
      return
    }
    void delay(HELD_PAUSE_MS).then(() => {
      this.#toRead.push(...patient)
      this.#wake()
    })
  }
}
