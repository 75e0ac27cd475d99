/* Counting what is asked: memory for every thread that answers, and the way to the database. */
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
  /** Of the workers, in their order. */
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

  /** Counts a question that this thread answered itself. */
  answered(packet: Uint8Array, client: string): void {
    if (!this.#hot.locate(packet, packet.length)) return
    this.#client.readText(client)
    this.#counter.count(this.#client)
  }

  /** Begins to write what is counted. */
  start(): void {
    this.#counts.start()
  }

  /** Writes what is left. To be called when nothing is answered any more. */
  async stop(): Promise<void> {
    await this.#counts.stop()
  }
}

/** @throws Error when none is known yet */
function databaseOf({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  const url = databaseUrl()
  if (url === undefined) throw new Error('no database is known yet')
  return url
}
