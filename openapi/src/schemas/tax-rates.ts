import { Type, type Static } from 'typebox'
import { record } from '../schema.ts'
import { TAX_NAME_LIMIT, TAX_RATE_LIMIT } from '../vocabulary.ts'

/** A country in the address of a call, and in a body. */
export const CountryCode = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'The country of the billing address (ISO 3166-1 alpha-2), in capital letters.',
  examples: ['AT'],
})

const terms = {
  rate_basis_points: Type.Integer({
    minimum: 0,
    maximum: TAX_RATE_LIMIT,
    description: 'The rate in hundredths of a percent: 2000 is 20 %.',
    examples: [2_000],
  }),
  name: Type.String({
    minLength: 1,
    maxLength: TAX_NAME_LIMIT,
    description: 'The name of the tax, for administrators.',
    examples: ['VAT'],
  }),
}

export const TaxRate = record(
  'TaxRate',
  {
    id: Type.String({ description: 'The country.', examples: ['AT'] }),
    country: CountryCode,
    ...terms,
  },
  'The tax that prices include for billing addresses in a country. A country without a rate has the rate 0.',
)
export type TaxRate = Static<typeof TaxRate>

export const TaxRateTerms = record('TaxRateTerms', terms)
export type TaxRateTerms = Static<typeof TaxRateTerms>
