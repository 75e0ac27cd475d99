/** The tax that prices include, by country of the billing address, for administrators: list, set and delete a rate. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { CountryCode, TaxRate, TaxRateTerms } from '../schemas/tax-rates.ts'
import { TAX_RATE_SORT } from '../vocabulary.ts'

const example: TaxRate = { id: 'AT', country: 'AT', rate_basis_points: 2_000, name: 'VAT' }

const byCountry = Type.Object({ country: CountryCode })
const LATER =
  'It applies to invoices that are issued from then on. An invoice that exists, and its credit notes, keep their rate.'

export const taxRates = {
  listTaxRates: {
    method: 'GET',
    url: '/api/admin/tax-rates',
    summary: 'List tax rates',
    description: 'Without `range`, the list has all rates.',
    access: 'administrator',
    permission: 'administration',
    query: listQuery({
      sort: TAX_RATE_SORT,
      filter: { q: 'a part of the country or of the name' },
    }),
    success: {
      status: 200,
      description: 'The rates.',
      schema: Type.Array(ref(TaxRate)),
      example: [example],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  setTaxRate: {
    method: 'PUT',
    url: '/api/admin/tax-rates/{country}',
    summary: 'Set the tax rate of a country',
    description: `Adds the rate of a country, or replaces it. ${LATER}`,
    access: 'administrator',
    permission: 'administration',
    stepUp: true,
    params: byCountry,
    body: ref(TaxRateTerms),
    bodyExample: { rate_basis_points: 2_000, name: 'VAT' },
    success: {
      status: 200,
      description: 'The rate.',
      schema: ref(TaxRate),
      example,
    },
  },
  deleteTaxRate: {
    method: 'DELETE',
    url: '/api/admin/tax-rates/{country}',
    summary: 'Delete the tax rate of a country',
    description: `The country has the rate 0 then. ${LATER}`,
    access: 'administrator',
    permission: 'administration',
    stepUp: true,
    params: byCountry,
    success: { status: 204, description: 'The country has no rate any more.' },
    problems: ['not-found'],
  },
} as const satisfies Slice
