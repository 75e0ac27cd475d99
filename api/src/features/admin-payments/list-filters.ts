/** What the lists of payments share. */
import type { AnyQueryBuilder } from 'objection'
import { containing, type Filter, filterBy } from '../../models/list.ts'

/** Rows in which one of some columns contains a text. */
export const containedIn = (...columns: readonly string[]): Filter<'text'> =>
  filterBy('text', (list: AnyQueryBuilder, text) => {
    void list.where((either) => {
      for (const column of columns) void either.orWhere(column, 'ilike', containing(text))
    })
  })

/** A body whose times are dates, as the database has them. */
export type Times<Body, Name extends keyof Body> = Omit<Body, Name> & {
  readonly [N in Name]: Body[N] extends string ? Date : Date | null
}
