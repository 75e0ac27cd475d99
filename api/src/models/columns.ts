/**
 * Column types, as PostgreSQL names them, with the values that node-postgres returns for them without parsers: bigint,
 * inet and uuid are text, timestamptz is Date, bytea is Buffer.
 */

/** A column whose values are `T`. */
export interface Column<T> {
  /** As PostgreSQL's `format_type()` writes it. */
  readonly type: string
  readonly isNullable: boolean
  /** Never set: it carries the type for the compiler. */
  readonly value?: T
}

const column = <T>(type: string): Column<T> => ({ type, isNullable: false })

export const bigint = column<string>('bigint')
export const boolean = column<boolean>('boolean')
export const bytea = column<Buffer>('bytea')
export const inet = column<string>('inet')
export const integer = column<number>('integer')
export const smallint = column<number>('smallint')
export const text = column<string>('text')
export const textArray = column<readonly string[]>('text[]')
export const timestamptz = column<Date>('timestamp with time zone')
/** Whole milliseconds. */
export const timestamptzMs = column<Date>('timestamp(3) with time zone')
export const uuid = column<string>('uuid')
/** Text that a constraint or the code limits to some values. */
export const textOf = <T extends string>(): Column<T> => column<T>('text')
/** An array of such texts. */
export const textArrayOf = <T extends string>(): Column<readonly T[]> =>
  column<readonly T[]>('text[]')
/** A number that a constraint limits to some values. */
export const smallintOf = <T extends number>(): Column<T> => column<T>('smallint')
export const jsonb = <T>(): Column<T> => column<T>('jsonb')

export const nullable = <T>({ type }: Column<T>): Column<T | null> => ({ type, isNullable: true })

export type Columns = Readonly<Record<string, Column<unknown>>>

/** The values of a row with these columns. */
export type Values<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never
}
