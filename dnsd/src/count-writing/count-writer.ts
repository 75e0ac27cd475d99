import type { CountedName } from '../query-counts/index.ts'
import { connectToFeed, type FeedConnection } from '../store/index.ts'

/** A batch of counts. It keeps its id when it is retried, so that it is written only once. */
export interface CountBatch {
  /** A UUID. */
  readonly id: string
  /** How long ago the counting ended. */
  readonly ageSeconds: number
  readonly names: Iterable<CountedName> | AsyncIterable<CountedName>
}

/** The result of a write. */
export interface WrittenCounts {
  readonly rows: number
  readonly queries: number
}

/** Writes batches to one database. */
export interface CountWriter {
  /**
   * Writes a batch in one transaction. A batch that is already stored is not written again.
   *
   * @throws UnknownOutcome; or the error of `names`, of the system or of PostgreSQL: then nothing was written
   */
  write(batch: CountBatch): Promise<WrittenCounts>
  close(): void
}

/** The connection was lost during the write, so the batch may or may not be stored. */
export class UnknownOutcome extends Error {}

// The rows of each statement are built synchronously, and answers must not wait for that.
const NAMES_PER_STATEMENT = 200
const STATEMENT_LIMIT_MS = 10_000
// SQLSTATE of an id that already exists.
const UNIQUE_VIOLATION = '23505'

const INSERT_BATCH = {
  name: 'insert-batch',
  text: `insert into query_count_batches (id) values ($1)`,
}
// The time is the clock of the database minus the age of the batch.
const INSERT_COUNTS = {
  name: 'insert-counts',
  text: `insert into query_counts (counted_at, zone, kind, name, network, queries)
         select now() - make_interval(secs => $1), r.*
         from unnest($2::text[], $3::text[], $4::text[], $5::cidr[], $6::bigint[]) as r`,
}
const INSERT_FACETS = {
  name: 'insert-facets',
  text: `insert into query_facets (batch, counted_at, zone, name, dimension, value, queries)
         select $1::uuid, now() - make_interval(secs => $2), r.*
         from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[]) as r`,
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

  async write(batch: CountBatch): Promise<WrittenCounts> {
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

  async #writeRows({ id, ageSeconds, names }: CountBatch): Promise<WrittenCounts> {
    const isNew = await this.#insertBatch(id)
    const written = { rows: 0, queries: 0 }
    for await (const some of chunksOf(names, NAMES_PER_STATEMENT)) {
      const counts = columnsOf(some.flatMap(countRows), COUNT_COLUMNS)
      written.rows += counts[0]?.length ?? 0
      for (const { networks } of some)
        for (const [, queries] of networks) written.queries += queries
      if (!isNew) continue
      await this.#run({ ...INSERT_COUNTS, values: [ageSeconds, ...counts] })
      const facets = columnsOf(some.flatMap(facetRows), FACET_COLUMNS)
      await this.#run({ ...INSERT_FACETS, values: [id, ageSeconds, ...facets] })
    }
    if (isNew) await this.#commit()
    else await this.#run('rollback')
    return written
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

const COUNT_COLUMNS = 5
const FACET_COLUMNS = 5

function countRows({ zone, kind, name, networks }: CountedName): unknown[][] {
  return networks.map(([network, queries]) => [zone, kind, name, network, queries])
}

function facetRows({ zone, name, facets }: CountedName): unknown[][] {
  return facets.map(([dimension, value, queries]) => [zone, name, dimension, value, queries])
}

function columnsOf(rows: readonly (readonly unknown[])[], columns: number): unknown[][] {
  return Array.from({ length: columns }, (_, index) => rows.map((row) => row[index]))
}

async function* chunksOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  size: number,
): AsyncGenerator<readonly T[]> {
  let chunk: T[] = []
  for await (const item of items) {
    chunk.push(item)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
