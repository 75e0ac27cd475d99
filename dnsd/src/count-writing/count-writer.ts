import type { CountedRow } from '../query-counts/index.ts'
import { connectToFeed, type FeedConnection } from '../store/index.ts'

/** A batch of counts. It keeps its id when it is retried, so that it is written only once. */
export interface CountBatch {
  /** A UUID. */
  readonly id: string
  /** How long ago the counting ended, by a monotonic clock. */
  readonly ageSeconds: number
  readonly rows: Iterable<CountedRow>
}

/** The result of a write. */
export interface WrittenCounts {
  readonly rows: number
  readonly queries: number
}

/** The connection was lost during the write, so the batch may or may not be stored. */
export class UnknownOutcome extends Error {}

// The rows of each statement are built synchronously, and answers must not wait for that.
const ROWS_PER_STATEMENT = 500
const STATEMENT_LIMIT_MS = 10_000
// SQLSTATE of an id that already exists.
const UNIQUE_VIOLATION = '23505'

const INSERT_BATCH = {
  name: 'insert-batch',
  text: `insert into query_count_batches (id) values ($1)`,
}
// The time is the clock of the database minus the age of the batch.
const INSERT_ROWS = {
  name: 'insert-counts',
  text: `insert into query_counts (counted_at, zone, kind, name, network, queries)
         select now() - make_interval(secs => $1), r.*
         from unnest($2::text[], $3::text[], $4::text[], $5::cidr[], $6::bigint[]) as r`,
}

/**
 * Writes a batch of counts in one transaction. A batch that is already stored is not written again.
 *
 * @param url the URL of a database in which dnsd may insert counts
 * @param signal aborts the write
 * @throws UnknownOutcome, or the system's or PostgreSQL's error: then nothing was written
 */
export async function writeCounts(
  url: string,
  batch: CountBatch,
  signal: AbortSignal,
): Promise<WrittenCounts> {
  const connection = await connectToFeed(url, {
    statementLimitMs: STATEMENT_LIMIT_MS,
    queryLimitMs: STATEMENT_LIMIT_MS,
  })
  const drop = () => connection.drop()
  signal.addEventListener('abort', drop)
  try {
    signal.throwIfAborted()
    return await writeThrough(connection, batch, signal)
  } finally {
    signal.removeEventListener('abort', drop)
    connection.drop()
  }
}

async function writeThrough(
  { client, lost }: FeedConnection,
  { id, ageSeconds, rows }: CountBatch,
  signal: AbortSignal,
): Promise<WrittenCounts> {
  // Queries on a dropped connection never settle.
  const ended = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => ended.reject(new Error('it was given up')), { once: true })
  void lost.then(ended.reject)
  ended.promise.catch(() => undefined)
  const run = async (query: string | { text: string; values: unknown[] }) =>
    Promise.race([client.query(query), ended.promise])
  await run('begin')
  const isNew = await run({ ...INSERT_BATCH, values: [id] }).then(
    () => true,
    (error: unknown) => {
      if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error
      return false
    },
  )
  const written = { rows: 0, queries: 0 }
  for (const some of chunksOf(rows, ROWS_PER_STATEMENT)) {
    written.rows += some.length
    for (const { count } of some) written.queries += count
    if (isNew) await run({ ...INSERT_ROWS, values: [ageSeconds, ...columnsOf(some)] })
  }
  if (!isNew) return written
  try {
    await run('commit')
  } catch (error) {
    throw new UnknownOutcome((error as Error).message, { cause: error })
  }
  return written
}

function columnsOf(rows: readonly CountedRow[]): unknown[] {
  return [
    rows.map(({ zone }) => zone),
    rows.map(({ kind }) => kind),
    rows.map(({ name }) => name),
    rows.map(({ network }) => network),
    rows.map(({ count }) => count),
  ]
}

function* chunksOf<T>(items: Iterable<T>, size: number): Generator<readonly T[]> {
  let chunk: T[] = []
  for (const item of items) {
    chunk.push(item)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
