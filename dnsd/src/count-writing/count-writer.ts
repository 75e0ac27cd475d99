import type { CountLines, LineTotals, ReadLines } from '../query-counts/index.ts'
import { connectToFeed, type FeedConnection } from '../store/index.ts'

/** A batch of counts. It keeps its id when it is retried, so that it is written only once. */
export interface CountBatch {
  /** A UUID. */
  readonly id: string
  /** How long ago the counting ended. */
  readonly ageSeconds: number
  readonly lines: CountLines | ReadLines
}

/** Writes batches to one database. */
export interface CountWriter {
  /**
   * Writes a batch in one transaction. A batch that is already stored is not written again.
   *
   * @throws UnknownOutcome; or the error of `lines`, of the system or of PostgreSQL: then nothing was written
   */
  write(batch: CountBatch): Promise<LineTotals>
  close(): void
}

/** The connection was lost during the write, so the batch may or may not be stored. */
export class UnknownOutcome extends Error {}

const STATEMENT_LIMIT_MS = 10_000
// SQLSTATE of an id that already exists.
const UNIQUE_VIOLATION = '23505'

const INSERT_BATCH = {
  name: 'insert-batch',
  text: `insert into query_count_batches (id) values ($1)`,
}
// The time is the clock of the database minus the age of the batch. The database takes the lines apart, so that the daemon
// has no work with them.
const INSERT_NAMES = {
  name: 'insert-names',
  text: `with names as materialized (
           select f[1] as kind, f[2] as zone, f[3] as name, f[4]::cidr[] as networks, f[5]::bigint[] as queries,
             f[6]::bigint[] as counters
           from string_to_table($2, E'\\n') as line, string_to_array(line, E'\\t', '') as f
         ), facets as (
           insert into query_facets (counted_at, zone, name, queries)
           select now() - make_interval(secs => $1), zone, name, counters from names
         )
         insert into query_counts (counted_at, zone, kind, name, network, queries)
         select now() - make_interval(secs => $1), zone, kind, name, n.network, n.queries
         from names, unnest(names.networks, names.queries) as n(network, queries)`,
}

/**
 * Connects to a database in which dnsd may insert counts.
 *
 * @param signal aborts a write that is in progress
 * @throws the system's or PostgreSQL's error
 */
export async function openCountWriter(url: string, signal: AbortSignal): Promise<CountWriter> {
  signal.throwIfAborted()
  const connection = await connectToFeed(url, {
    statementLimitMs: STATEMENT_LIMIT_MS,
    queryLimitMs: STATEMENT_LIMIT_MS,
  })
  return new PostgresWriter(connection, signal)
}

class PostgresWriter implements CountWriter {
  readonly #connection: FeedConnection
  readonly #signal: AbortSignal
  readonly #drop: () => void
  /** Rejects when the connection ends: queries on a dropped connection never settle. */
  readonly #ended = Promise.withResolvers<never>()

  constructor(connection: FeedConnection, signal: AbortSignal) {
    this.#connection = connection
    this.#signal = signal
    this.#drop = () => {
      connection.drop()
      this.#ended.reject(new Error('it was given up'))
    }
    signal.addEventListener('abort', this.#drop, { once: true })
    void connection.lost.then(this.#ended.reject)
    this.#ended.promise.catch(() => undefined)
  }

  async write(batch: CountBatch): Promise<LineTotals> {
    this.#signal.throwIfAborted()
    await this.#run('begin')
    try {
      return await this.#writeRows(batch)
    } catch (error) {
      // For the next batch. After an unknown outcome, the connection is not used again.
      if (!(error instanceof UnknownOutcome)) await this.#run('rollback').catch(() => undefined)
      throw error
    }
  }

  async #writeRows({ id, ageSeconds, lines }: CountBatch): Promise<LineTotals> {
    try {
      const isNew = await this.#insertBatch(id)
      let step = await lines.next()
      for (; step.done !== true; step = await lines.next()) {
        // Without the last line feed, after which there is no line.
        const text = step.value.subarray(0, -1)
        if (isNew) await this.#run({ ...INSERT_NAMES, values: [ageSeconds, text] })
      }
      if (isNew) await this.#commit()
      else await this.#run('rollback')
      return step.value
    } finally {
      // Closes the file.
      await lines.return({ rows: 0, queries: 0 })
    }
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#drop)
    this.#connection.drop()
  }

  /** @returns false when the batch is already stored; the transaction then has failed */
  async #insertBatch(id: string): Promise<boolean> {
    try {
      await this.#run({ ...INSERT_BATCH, values: [id] })
      return true
    } catch (error) {
      if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error
      return false
    }
  }

  async #commit(): Promise<void> {
    try {
      await this.#run('commit')
    } catch (error) {
      throw new UnknownOutcome((error as Error).message, { cause: error })
    }
  }

  async #run(query: string | { text: string; values: unknown[] }): Promise<unknown> {
    return Promise.race([this.#connection.client.query(query), this.#ended.promise])
  }
}
