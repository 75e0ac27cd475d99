/** The tax that prices include, by country of the billing address. `payments` reads the rate of a new invoice. */
import { integer, text } from './columns.ts'
import { type Row, table } from './table.ts'

export class TaxRate extends table(
  'tax_rates',
  {
    /** ISO 3166-1 alpha-2, in capital letters. */
    country: text,
    /** In hundredths of a percent. */
    rate_basis_points: integer,
    name: text,
  },
  'country',
) {}

/** A plain row of `tax_rates`. */
export type TaxRateRow = Row<typeof TaxRate>
