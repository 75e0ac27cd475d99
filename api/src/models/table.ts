/**
 * The base of all models. A model describes one table: its columns with their types, its relations, and common
 * conditions as modifiers. Columns keep their names from the database.
 *
 * Models are not bound to a connection: each query gets the pool or the transaction that it runs on.
 * PostgreSQL's errors are pg's `DatabaseError`, as with `query()`.
 */
import type { Knex } from 'knex'
import {
  type Constructor,
  DBError,
  Model,
  type Page,
  type PartialModelObject,
  QueryBuilder,
  type QueryBuilderType,
  type RelationMapping,
  type TableMetadata,
} from 'objection'
import type { Columns, Values } from './columns.ts'

export class TableQuery<M extends Model, R = M[]> extends QueryBuilder<M, R> {
  declare ArrayQueryBuilderType: TableQuery<M>
  declare SingleQueryBuilderType: TableQuery<M, M>
  declare MaybeSingleQueryBuilderType: TableQuery<M, M | undefined>
  declare NumberQueryBuilderType: TableQuery<M, number>
  declare PageQueryBuilderType: TableQuery<M, Page<M>>

  /**
   * objection wraps the errors that it recognises. This unwraps them, so that callers get one error type from
   * every statement.
   */
  override async execute(): Promise<R> {
    try {
      return await super.execute()
    } catch (error) {
      throw error instanceof DBError ? error.nativeError : error
    }
  }
}

export class Table extends Model {
  declare QueryBuilderType: TableQuery<this>
  static override readonly QueryBuilder = TableQuery
  static readonly columns: Columns

  /** @param executor the pool, or the transaction that the statement is part of */
  static override query<M extends Model>(
    this: Constructor<M>,
    executor: Knex,
  ): QueryBuilderType<M> {
    return super.query(executor)
  }

  /** Without this, objection queries the database for it. */
  static override tableMetadata(): TableMetadata {
    return { columns: Object.keys(this.columns) }
  }
}

/** A model with fields for the columns of its table. */
type TableClass<Name extends string, C extends Columns> = Omit<
  typeof Table,
  'prototype' | 'tableName' | 'columns'
> & {
  new (): Table & Values<C>
  readonly tableName: Name
  readonly columns: C
}

/**
 * The base class for the model of a table. A test compares the columns, their types and whether they can be
 * null with the migrated database.
 */
export function table<const Name extends string, C extends Columns>(
  tableName: Name,
  columns: C,
  idColumn: (keyof C & string) | (keyof C & string)[] = 'id',
): TableClass<Name, C> {
  const jsonAttributes = Object.keys(columns).filter((name) => columns[name]?.type === 'jsonb')
  class Base extends Table {
    static override readonly tableName = tableName
    static override readonly idColumn = idColumn
    static override readonly columns = columns
    static override readonly jsonAttributes = jsonAttributes
  }
  return Base as unknown as TableClass<Name, C>
}

/** A plain row of a model's table, as lists read it. */
export type Row<T extends { readonly columns: Columns }> = Values<T['columns']>

/** Names of columns, qualified with the model's table, for a query with joins. */
export const columnsOf = <C extends Columns>(
  { tableName }: { readonly tableName: string; readonly columns: C },
  names: readonly (keyof C & string)[],
): string[] => names.map((name) => `${tableName}.${name}`)

/**
 * The columns of a model, for statements that stay prepared: with `*`, PostgreSQL refuses them after a migration has added
 * a column.
 *
 * @param alias of the table
 */
export const everyColumnOf = ({ columns }: { readonly columns: Columns }, alias: string): string =>
  Object.keys(columns)
    .map((name) => `${alias}.${name}`)
    .join(', ')

/**
 * Inserts a row unless a row with its key exists. Of concurrent calls, one inserts it.
 *
 * @returns whether it was inserted
 */
export async function insertNew<M extends Table>(
  model: { query(executor: Knex): QueryBuilderType<M> },
  executor: Knex,
  row: PartialModelObject<M>,
): Promise<boolean> {
  const inserted = await model.query(executor).insert(row).onConflict().ignore().toKnexQuery()
  return inserted.length > 0
}

/** The relation to the row that a column refers to. @param column with its table: `sessions.user_id` */
export const belongsTo = (parent: typeof Table, column: string): RelationMapping<Table> => ({
  relation: Model.BelongsToOneRelation,
  modelClass: parent,
  join: { from: column, to: `${parent.tableName}.${String(parent.idColumn)}` },
})

/** A column of the table that a modifier is applied to, qualified, so that it also works in joins. */
export const columnOf = <T extends Table>(query: TableQuery<T>, name: keyof T & string): string =>
  `${query.tableRefFor(query.modelClass())}.${name}`

/** The modifier `ownedBy` of tables whose rows belong to an account. */
export function ownedBy(query: TableQuery<Table>, userId: string): void {
  query.where(`${query.tableRefFor(query.modelClass())}.user_id`, userId)
}
