/*
 * Shows queries for watched names while they happen.
 *
 * Once a second, the main thread reads from the database which names somebody watches, and passes them to the
 * answering threads (`LiveRing`). It writes what the threads put into their rings, at most ROWS_A_SECOND rows. Above
 * that, each row stands for several queries. Without a database, nothing is watched.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { QueryConfig } from 'pg'
import { nameFromText } from '../names/index.ts'
import type { CountTable, LiveQuery, LiveRing } from '../query-counts/index.ts'
import { connectToFeed } from '../store/index.ts'
import type { TableReader } from '../table/index.ts'

/** Events of the live view, for the log and the metrics. */
export interface LiveEvents {
  /** Rows were written, which stand for a number of queries. */
  liveWritten(rows: number, queries: number): void
  /** It does not work, and will be tried again. Called once for each reason. */
  liveFailed(why: Error): void
}

/** What the main thread shares with one answering thread. */
export interface LiveThread {
  readonly ring: LiveRing
  readonly table: CountTable
}

export interface LiveFeedOptions {
  readonly threads: readonly LiveThread[]
  /** Any reader of the table that the threads answer from. */
  readonly reader: TableReader
  /** @throws Error when no database is known */
  readonly url: () => string
  /** The name of this daemon, for the rows. */
  readonly identity: () => string
  readonly events: LiveEvents
  readonly everyMs?: number
}

const EVERY_MS = 1_000
const RETRY_MS = 5_000
const ROWS_A_SECOND = 200
const WATCHED_LIMIT = 1_000

const WATCHED = {
  name: 'live-watch',
  text: `select name from live_watch limit ${WATCHED_LIMIT}`,
}
const INSERT = {
  name: 'insert-live',
  text: `insert into live_queries (at, zone, name, qname, type, rcode, transport, network, sample, dnsd)
         select to_timestamp(r.ms / 1000), r.zone, r.name, r.qname, r.type, r.rcode, r.transport, r.network, $9, $10
         from unnest($1::double precision[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::cidr[])
           as r(ms, zone, name, qname, type, rcode, transport, network)`,
}

type LiveRow = LiveQuery & Pick<CountTable, 'transport'>

/** A connection whose queries always settle. */
interface Session {
  query(query: object): Promise<readonly { name: string }[]>
  end(): void
}

export class LiveFeed {
  readonly #options: LiveFeedOptions
  readonly #stopping = new AbortController()
  #session: Session | undefined
  #watched: ReadonlySet<string> = new Set()
  #running: Promise<void> = Promise.resolve()
  #toldReason = ''

  constructor(options: LiveFeedOptions) {
    this.#options = options
  }

  /** Begins to ask who watches. */
  start(): void {
    this.#running = this.#run(this.#stopping.signal)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#session?.end()
    await this.#running
  }

  /** The number of names that are watched. */
  get watched(): number {
    return this.#watched.size
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { everyMs = EVERY_MS } = this.#options
    while (!signal.aborted) {
      const worked = await this.#turn(signal)
      const waitMs = worked ? everyMs : RETRY_MS
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
    }
    this.#session?.end()
  }

  /** @returns whether it worked */
  async #turn(signal: AbortSignal): Promise<boolean> {
    try {
      this.#session ??= await openSession(this.#options.url())
      signal.throwIfAborted()
      await this.#write(this.#session)
      const rows = await this.#session.query(WATCHED)
      this.#watch(rows.map(({ name }) => name.toLowerCase()).filter(isName))
      this.#toldReason = ''
      return true
    } catch (error) {
      this.#session?.end()
      this.#session = undefined
      this.#watch([])
      if (!signal.aborted) this.#failed(error)
      return false
    }
  }

  #watch(names: readonly string[]): void {
    const watched = new Set(names)
    if (watched.size === this.#watched.size && names.every((name) => this.#watched.has(name)))
      return
    const { threads, reader } = this.#options
    for (const { ring, table } of threads) {
      // What an earlier watcher left.
      if (this.#watched.size === 0) discard(ring)
      ring.watch(names, table, reader)
    }
    this.#watched = watched
  }

  async #write(session: Session): Promise<void> {
    const { rows, sample, queries } = this.#taken()
    if (rows.length === 0) return
    const columns = [
      rows.map(({ atMs }) => atMs),
      rows.map(({ zone }) => zone),
      rows.map(({ name }) => name),
      rows.map(({ qname }) => qname),
      rows.map(({ type }) => type),
      rows.map(({ rcode }) => rcode),
      rows.map(({ transport }) => transport),
      rows.map(({ network }) => network),
    ]
    await session.query({ ...INSERT, values: [...columns, sample, this.#options.identity()] })
    this.#options.events.liveWritten(rows.length, queries)
  }

  /** What the threads have put into their rings, at most ROWS_A_SECOND rows. */
  #taken(): { rows: readonly LiveRow[]; sample: number; queries: number } {
    const { threads } = this.#options
    let kept = 0
    let missed = 0
    for (const { ring } of threads) {
      kept += ring.size
      missed += ring.takeMissed()
    }
    const step = Math.max(1, Math.ceil(kept / ROWS_A_SECOND))
    // Two names may have the same hash.
    const rows = threads
      .flatMap(({ ring, table: { transport } }) =>
        ring.take(step).map((query) => ({ ...query, transport })),
      )
      .filter(({ qname }) => this.#isWatched(qname))
    const queries = kept + missed
    return { rows, sample: Math.max(1, Math.round(queries / (rows.length || 1))), queries }
  }

  #isWatched(qname: string): boolean {
    const labels = qname.split('.')
    return labels.some((_, index) => this.#watched.has(labels.slice(index).join('.')))
  }

  #failed(error: unknown): void {
    const why = error instanceof Error ? error : new Error(String(error))
    if (this.#toldReason !== why.message) this.#options.events.liveFailed(why)
    this.#toldReason = why.message
  }
}

async function openSession(url: string): Promise<Session> {
  const connection = await connectToFeed(url)
  const { client, lost } = connection
  // Queries on a dropped connection never settle.
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => undefined)
  void lost.then(ended.reject)
  return {
    async query(query) {
      const result = client.query<{ name: string }>(query as QueryConfig)
      return (await Promise.race([result, ended.promise])).rows
    },
    end() {
      connection.drop()
      ended.reject(new Error('the connection was ended'))
    },
  }
}

function discard(ring: LiveRing): void {
  ring.take(Infinity)
  ring.takeMissed()
}

function isName(text: string): boolean {
  try {
    nameFromText(`${text}.`)
    return true
  } catch {
    return false
  }
}
