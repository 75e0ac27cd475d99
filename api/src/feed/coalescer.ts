/*
 * The coalescer: many address changes, few commits.
 *
 * A commit costs one flush to disk, and NOTIFY holds a lock of the whole instance
 * until that flush is done, so one transaction for each update gives some thousand a
 * second, however many connections there are. Updates that arrive together therefore
 * share a transaction. Whatever arrives while a transaction is under way is the next
 * batch, and while company keeps coming transactions begin some milliseconds apart. An
 * idle service answers at once, a busy one gathers (docs/decisions/0052).
 *
 *   submit ─► turn ─► read lane ───────────────► verdict (nothing to write)
 *                        │                          ▲
 *                        └─► write lane ─► COMMIT ──┘
 *                        ▲        │
 *                        └────────┘ held by another transaction, or changed meanwhile
 *
 * A name has one change under way; a second one for it waits its turn, so each is
 * judged against what the one before it left. The read lane decides `nochg` and every
 * refusal by one query for all who wait; a caller who has read the name already goes
 * straight to the write lanes. The write lanes take rows with SKIP LOCKED: a
 * row that another replica or an administrator holds delays its own caller only.
 *
 * A verdict is given after COMMIT and never from memory. A batch that PostgreSQL
 * refuses because of one row is tried again row by row, so a poisoned row fails alone.
 * When PostgreSQL is away every waiting caller hears UpdateNotStored at once; what is queued
 * is bounded, and beyond the bound the answer is Overloaded at once.
 */
import type { Knex } from 'knex'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { isDatabaseAway } from '../database/silence.ts'
import { judge, write } from './address-batch.ts'
import { type AddressChange, Overloaded, UpdateNotStored, type Verdict } from './address-change.ts'

export interface CoalescerOptions {
  readonly knex: Knex
  /** Most updates in one transaction. */
  readonly maxBatch?: number
  /** Most updates waiting or under way. */
  readonly maxQueued?: number
  /** Transactions under way at once: while one waits for the disk the next can prepare. */
  readonly writeLanes?: number
}

interface Waiting {
  readonly change: AddressChange
  readonly give: (verdict: Verdict) => void
  readonly fail: (error: Error) => void
  /** Of the name, when it was last found to differ. */
  seenVersion: number | undefined
  /** When another transaction was first found holding the row, by performance.now(). */
  heldSince: number | undefined
}

/**
 * How far apart transactions begin while changes keep coming, in milliseconds. To PostgreSQL a transaction costs what ten
 * more changes in one cost: at a thousand changes a second this leaves half of its processor time to those who read.
 */
const GATHER_MS = 4
/** So many waiting changes are company enough. */
const FULL_BATCH = 32
/** Judging is cheap: one query takes four write batches. */
const READS_PER_WRITE = 4
/** A batch in which every row was held by others is tried again after this pause. */
const HELD_PAUSE_MS = 5
/** A row that others hold for longer than any of our own transactions may last. */
const HELD_LIMIT_MS = 5_000

/**
 * SQLSTATE classes that blame a row (data, constraint) or this combination of rows
 * (deadlock). All others say that PostgreSQL cannot serve now, for any row.
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
  /** Changes behind the one that is under way, by domain id. */
  readonly #turns = new Map<string, Waiting[]>()
  #toRead: Waiting[] = []
  #toWrite: Waiting[] = []
  #isReading = false
  #writing = 0
  /** When the last transaction began, by performance.now(), and how many changes it took. */
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

  /** Updates waiting or under way. */
  get queued(): number {
    return this.#queued
  }

  /**
   * Stores a change of addresses, durably before the verdict `changed` is given.
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
      // Who has just read the name has judged it; the lock judges it again, and sends back what is not so.
      if (seenVersion !== undefined) this.#toWrite.push(waiting)
      else this.#toRead.push(waiting)
      this.#wake()
    })
  }

  /** Resolves once everything that was submitted has its verdict. */
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

  /** How long the next transaction waits for company. One change that comes alone, with none under way, waits for nothing. */
  #pauseMs(): number {
    const waiting = this.#toWrite.length
    const isAlone = this.#writing === 0 && this.#lastWrite.size <= 1 && waiting === 1
    if (isAlone || waiting >= FULL_BATCH) return 0
    return this.#lastWrite.beganAt + GATHER_MS - performance.now()
  }

  /** Ends one caller's wait and lets the next change of the same name begin. */
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
   * Runs a step for a batch; when PostgreSQL blames rows, once more for each row alone.
   *
   * @returns whether PostgreSQL could be asked
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

  /** Whoever is not under way yet would wait as long, one after the other, to hear the same. */
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

  /** Sends changes back to be judged; `stuck` when the whole batch was held by others. */
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
