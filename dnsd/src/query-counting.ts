/*
 * Counts queries: holds the memory that the answering threads count in, keeps the counts on the disk, and writes them
 * to the database. The same memory leads queries for watched names to the live view.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import * as files from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { CountSpool } from './count-writing/count-spool.ts'
import { openCountWriter } from './count-writing/count-writer.ts'
import { type CountEvents, QueryCounts } from './count-writing/query-counts.ts'
import { fanOut } from './fan-out.ts'
import { HotPath, outcomeOf } from './hot-path/index.ts'
import { type LiveEvents, LiveFeed } from './live-queries/index.ts'
import { countLog, liveLog } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import { createCountTable, createLiveMemory, LiveRing, QueryCounter } from './query-counts/index.ts'
import { ClientAddress, type QueryCountMemory } from './server/index.ts'
import type { LiveSettings } from './settings/live.ts'
import type { ZoneTable } from './table/index.ts'

export interface QueryCountingParts {
  readonly config: Pick<Config, 'workers' | 'databaseUrl' | 'folder'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly table: ZoneTable
  readonly metrics: Metrics
  readonly log: Logger
}

export class QueryCounting {
  /** The count memory of each worker, in worker order. */
  readonly workers: readonly QueryCountMemory[]
  readonly #folder: string
  readonly #counts: QueryCounts
  readonly #live: LiveFeed
  readonly #hot: HotPath
  readonly #counter: QueryCounter
  readonly #client = new ClientAddress()

  constructor({ config, settings, table, metrics, log }: QueryCountingParts) {
    const seed = randomBytes(4).readInt32LE()
    const own = { table: createCountTable('tcp'), live: createLiveMemory(), seed }
    this.workers = Array.from({ length: config.workers }, () => ({
      table: createCountTable('udp'),
      live: createLiveMemory(),
      seed,
    }))
    const { reader } = table
    this.#hot = new HotPath(reader)
    const parts = { ...own, reader, hot: this.#hot, live: new LiveRing(own.live) }
    this.#counter = new QueryCounter(parts)
    this.#folder = join(config.folder, 'counts')
    const url = () => databaseOf(config)
    const events = fanOut<CountEvents>(countLog(log), metrics.counts)
    const spool = new CountSpool({ files, folder: this.#folder, events })
    const memory = [own, ...this.workers]
    const tables = memory.map((each) => each.table)
    const connect = async (signal: AbortSignal) => openCountWriter(url(), signal)
    this.#counts = new QueryCounts({ tables, control: table.control, spool, connect, events })
    this.#live = new LiveFeed({
      threads: memory.map((each) => ({ table: each.table, ring: new LiveRing(each.live) })),
      reader,
      url,
      identity: () => settings.current.identity ?? hostname(),
      events: fanOut<LiveEvents>(liveLog(log), metrics.live),
    })
    metrics.watchCounts({ tables, counts: this.#counts, spool, live: this.#live })
  }

  /** Counts a query that this thread answered. */
  answered(packet: Uint8Array, answer: Uint8Array, client: string): void {
    if (!this.#hot.locate(packet, packet.length)) return
    this.#client.readText(client)
    this.#counter.count(this.#client, this.#hot.question.qtype, outcomeOf(answer))
  }

  /** Starts writing the counts to the disk and the database. The lock of the data folder must be held. */
  start(): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    } catch {
      // The spool reports that it cannot write there.
    }
    this.#counts.start()
    this.#live.start()
  }

  /** Writes the remaining counts. Call it after answering has stopped. */
  async stop(): Promise<void> {
    await Promise.all([this.#counts.stop(), this.#live.stop()])
  }
}

/** @throws Error when no database URL is known yet */
function databaseOf({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  const url = databaseUrl()
  if (url === undefined) throw new Error('no database is known yet')
  return url
}
