/** One part of the archive of an account, and the statements that read it. */
import type { AccountExport } from '@homing/openapi'

/** The fields that are lists. */
type ListField = {
  [F in keyof AccountExport]: AccountExport[F] extends readonly unknown[] ? F : never
}[keyof AccountExport]

export type SecondFactorField = 'totp' | 'recovery_codes' | 'passkeys'

export interface Part<Field extends string = ListField> {
  readonly field: Field
  /** The tables that the part reads, so that a test can find a forgotten table. */
  readonly tables: readonly string[]
  /**
   * A statement that returns rows in the order of `cursor`, a column that is left out of the archive. The first
   * `?` is the account or the domain, the second is the cursor (as bigint) after which rows start, the third is
   * the number of rows.
   */
  readonly sql: string
  /** The statement runs once per domain, deleted domains included, because the tables have an index only on the domain. */
  readonly byDomain?: true
}

/** A numeric column as the cursor of a part. */
export const bigint = (column: string) => `${column}::bigint as cursor`
/** Rows of a table `x` whose ids are after the cursor. */
export const byId = (columns: string, from: string, owner = 'x.user_id'): string =>
  `select ${bigint('x.id')}, ${columns} from ${from} where ${owner} = ? and x.id > ? order by x.id limit ?`
/** Rows of which an account or a domain has few, numbered as they are read. */
export const numbered = (columns: string, from: string, owner: string, order: string): string =>
  `select * from (
     select row_number() over (order by ${order}) as cursor, ${columns} from ${from} where ${owner} = ?
   ) as x where cursor > ? order by cursor limit ?`
