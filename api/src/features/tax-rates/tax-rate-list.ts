/** The administrators' list of tax rates. */
import type { TAX_RATE_SORT } from '@homing/openapi/vocabulary'
import type { TaxRate as TaxRateBody } from '@homing/openapi'
import type { Knex } from 'knex'
import {
  type ColumnName,
  containing,
  filterBy,
  type ListForm,
  readList,
} from '../../models/list.ts'
import { TaxRate, type TaxRateRow } from '../../models/tax-rate.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'

const LIST = {
  sort: {
    country: 'tax_rates.country',
    rate_basis_points: 'tax_rates.rate_basis_points',
  } satisfies Record<(typeof TAX_RATE_SORT)[number], ColumnName<typeof TaxRate>>,
  filter: {
    q: filterBy(
      'text',
      (list, part) =>
        void list.whereRaw(`tax_rates.country || ' ' || tax_rates.name ilike ?`, [
          containing(part),
        ]),
    ),
  },
  keys: ['tax_rates.country'],
} as const satisfies ListForm<ColumnName<typeof TaxRate>>

export interface TaxRatePage {
  readonly rates: readonly TaxRateRow[]
  readonly offset: number
  readonly total: number
}

/** @throws Refusal `validation-failed` for a query that cannot be read */
export async function listTaxRates(knex: Knex, query: ListQuery): Promise<TaxRatePage> {
  const request = parseListQuery(query, LIST)
  const { rows, total } = await readList<TaxRateRow>(TaxRate.query(knex), LIST, request)
  return { rates: rows, offset: request.offset, total }
}

/** A rate as JSON. The country identifies it. */
export const taxRateBody = ({ country, rate_basis_points, name }: TaxRateRow): TaxRateBody => ({
  id: country,
  country,
  rate_basis_points,
  name,
})
