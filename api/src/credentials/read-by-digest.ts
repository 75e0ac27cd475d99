import type { Knex } from 'knex'
import { BatchedQuery } from '../database/batched-query.ts'
import { query } from '../database/sql.ts'

/** The minimum of a credential's row. */
export interface DigestRow {
  /** Hexadecimal. */
  readonly digest: string
}

/**
 * Reads the current row of a credential. Nothing is cached; concurrent look-ups share one query.
 *
 * @param sql has one `?` for all digests, as `bytea[]`, and returns the rows that exist
 */
export function readByDigest<Row extends DigestRow>(
  sql: string,
  name: string,
): (knex: Knex, digest: string) => Promise<Row | undefined> {
  const reads = new WeakMap<Knex, BatchedQuery<string, Row | undefined>>()
  const readOf = (knex: Knex) =>
    new BatchedQuery<string, Row | undefined>(async (digests) => {
      const each = [...new Set(digests)].map((digest) => `\\x${digest}`)
      const rows = await query<Row>(knex, sql, [each], name)
      const byDigest = new Map(rows.map((row) => [row.digest, row]))
      return digests.map((digest) => byDigest.get(digest))
    })
  return async (knex, digest) => {
    const read = reads.get(knex) ?? readOf(knex)
    reads.set(knex, read)
    return read.ask(digest)
  }
}
