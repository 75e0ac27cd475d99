import { DamagedBatch } from './batch-file.ts'
import type { SpooledBatch } from './batch-name.ts'
import type { CountSpool } from './count-spool.ts'
import type { LineTotals } from '../query-counts/index.ts'
import { type CountWriter, UnknownOutcome } from './count-writer.ts'

/** Events of writing counts to the database, for the log and the metrics. */
export interface DeliveryEvents {
  countsWritten(written: LineTotals): void
  /** The counts are kept and will be retried. Called once for each reason. */
  countsUnwritten(why: Error): void
}

export interface DeliveryOptions {
  readonly spool: CountSpool
  /** @throws an error when the database cannot be reached */
  readonly connect: (signal: AbortSignal) => Promise<CountWriter>
  readonly events: DeliveryEvents
  /** Milliseconds since 1970. */
  readonly now: () => number
}

// The database keeps an id for two days.
const UNCERTAIN_LIMIT_MS = 24 * 3_600_000
// The clock may have been wrong when the batch ended.
const AGE_LIMIT_SECONDS = 30 * 24 * 3600
// Classes of SQLSTATE for rows that the database will always refuse: invalid data, violated constraints.
const REFUSED = /^(22|23)/

/** Writes the batches of a spool to the database, one after the other, the oldest first. */
export class CountDelivery {
  readonly #options: DeliveryOptions
  #toldReason = ''

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Writes all batches, or ends at the first one that cannot be written now. It never fails. */
  async run(signal: AbortSignal): Promise<void> {
    const { spool, connect } = this.#options
    if (spool.batches.length === 0) return
    let writer: CountWriter | undefined
    try {
      writer = await connect(signal)
      for (let next = spool.batches[0]; next !== undefined; next = spool.batches[0]) {
        await this.#deliver(next, writer)
      }
    } catch (error) {
      this.unwritten(error)
    } finally {
      spool.release()
      writer?.close()
    }
  }

  /** Reports that counts could not be written. */
  unwritten(error: unknown): void {
    const why = error instanceof Error ? error : new Error(String(error))
    if (this.#toldReason !== why.message) this.#options.events.countsUnwritten(why)
    this.#toldReason = why.message
  }

  /** Reports that counts were written. */
  written(counts: LineTotals): void {
    this.#toldReason = ''
    this.#options.events.countsWritten(counts)
  }

  /** @throws an error when the batch stays in the spool */
  async #deliver(batch: SpooledBatch, writer: CountWriter): Promise<void> {
    const { spool, now } = this.#options
    if (isForgotten(batch.sentAtMs, now())) {
      await spool.lose(batch, 'it is unknown whether they were written')
      return
    }
    const sent = await spool.markSent(batch, now())
    const ageSeconds = ageOf(sent.endedAtMs, now())
    try {
      const written = await writer.write({ id: sent.id, ageSeconds, lines: spool.lines(sent) })
      await spool.remove(sent)
      this.written(written)
    } catch (error) {
      const reason = hopelessReason(error)
      if (reason === undefined) throw error
      await spool.lose(sent, reason)
    }
  }
}

/** Whether the database may have forgotten the id of a batch that it may have stored. */
export function isForgotten(sentAtMs: number | undefined, nowMs: number): boolean {
  return sentAtMs !== undefined && nowMs - sentAtMs >= UNCERTAIN_LIMIT_MS
}

/** The age of a batch in seconds, also when the clock was set in the meantime. */
export function ageOf(endedAtMs: number, nowMs: number): number {
  return Math.min(Math.max(0, (nowMs - endedAtMs) / 1000), AGE_LIMIT_SECONDS)
}

function hopelessReason(error: unknown): string | undefined {
  if (error instanceof DamagedBatch) return `the file of a batch is damaged: ${error.message}`
  if (error instanceof UnknownOutcome) return undefined
  const { code, message } = error as { code?: string; message: string }
  return typeof code === 'string' && REFUSED.test(code)
    ? `the database refuses them: ${message}`
    : undefined
}
