/*
 * Counts queries: holds the memory that the answering threads count in, and writes the counts to
 * the database.
 */
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { writeCounts } from './count-writing/count-writer.ts'
import { fanOut } from './fan-out.ts'
import { HotPath } from './hot-path/index.ts'
import { countLog } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import { type CountEvents, QueryCounts } from './count-writing/query-counts.ts'
import { createCountTable, QueryCounter } from './query-counts/index.ts'
import { ClientAddress, type QueryCountMemory } from './server/index.ts'
import type { ZoneTable } from './table/index.ts'

export interface QueryCountingParts {
  readonly config: Pick<Config, 'workers' | 'databaseUrl'>
  readonly table: ZoneTable
  readonly metrics: Metrics
  readonly log: Logger
}

export class QueryCounting {
  /** The count memory of each worker, in worker order. */
  readonly workers: readonly QueryCountMemory[]
  readonly #counts: QueryCounts
  readonly #hot: HotPath
  readonly #counter: QueryCounter
  readonly #client = new ClientAddress()

  constructor({ config, table, metrics, log }: QueryCountingParts) {
    const seed = randomBytes(4).readInt32LE()
    const own = createCountTable()
    this.workers = Array.from({ length: config.workers }, () => ({
      table: createCountTable(),
      seed,
    }))
    this.#hot = new HotPath(table.reader)
    this.#counter = new QueryCounter(own, table.reader, this.#hot, seed)
    const tables = [own, ...this.workers.map((worker) => worker.table)]
    const counts = new QueryCounts({
      tables,
      control: table.control,
      write: async (batch, signal) => writeCounts(databaseOf(config), batch, signal),
      events: fanOut<CountEvents>(countLog(log), metrics.counts),
    })
    this.#counts = counts
    metrics.watchCounts(tables, counts)
  }

  /** Counts a question that this thread answered. */
  answered(packet: Uint8Array, client: string): void {
    if (!this.#hot.locate(packet, packet.length)) return
    this.#client.readText(client)
    this.#counter.count(this.#client)
  }

  /** Starts writing the counts to the database. */
  start(): void {
    this.#counts.start()
  }

  /** Writes the remaining counts. Call it after answering has stopped. */
  async stop(): Promise<void> {
    await this.#counts.stop()
  }
}

/** @throws Error when no database URL is known yet */
function databaseOf({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  const url = databaseUrl()
  if (url === undefined) throw new Error('no database is known yet')
  return url
}
