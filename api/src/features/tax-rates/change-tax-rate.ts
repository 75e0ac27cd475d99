/**
 * Administrators set and delete the tax rate of a country. An invoice keeps the rate that it was issued with, so a change
 * applies to new invoices alone.
 */
import { COUNTRIES } from '@homing/openapi/address-rules'
import type { TaxRateTerms } from '@homing/openapi'
import type { Services } from '../../compose.ts'
import { TaxRate, type TaxRateRow } from '../../models/tax-rate.ts'
import type { CallerAccount } from '../../caller/principal.ts'
import { invalid, Refusal } from '../../rules/errors.ts'
import { parseLine } from '../../rules/owner-texts.ts'

type RateServices = Pick<Services, 'knex' | 'log'>
type Administrator = Pick<CallerAccount, 'id'>

/** @throws Refusal `validation-failed` */
function requireCountry(country: string): void {
  if (COUNTRIES.includes(country)) return
  const message = `${country} is not a country. Expected a code of ISO 3166-1, such as AT.`
  throw invalid({ field: 'country', message })
}

/**
 * Adds the rate of a country, or replaces it.
 *
 * @throws Refusal `validation-failed`
 */
export async function setTaxRate(
  { knex, log }: RateServices,
  country: string,
  { rate_basis_points, name: given }: TaxRateTerms,
  { id: administratorId }: Administrator,
): Promise<TaxRateRow> {
  requireCountry(country)
  const name = parseLine('name', given, 'Write the name of the tax, such as VAT.')
  const after = { country, rate_basis_points, name }
  const before = await knex.transaction(async (trx) => {
    const former = await TaxRate.query(trx).findById(country).forUpdate()
    await TaxRate.query(trx).insert(after).onConflict('country').merge()
    return former
  })
  if (before?.rate_basis_points !== rate_basis_points || before.name !== name) {
    const rates = { before: before?.rate_basis_points ?? null, after: rate_basis_points }
    log.warn({ administratorId, country, name, ...rates }, 'an administrator set a tax rate')
  }
  return after
}

/** @throws Refusal `not-found` */
export async function deleteTaxRate(
  { knex, log }: RateServices,
  country: string,
  { id: administratorId }: Administrator,
): Promise<void> {
  const [rate] = await TaxRate.query(knex).delete().where({ country }).returning('*')
  if (rate === undefined) throw new Refusal('not-found', `${country} has no tax rate.`)
  const { rate_basis_points: before } = rate
  log.warn({ administratorId, country, before }, 'an administrator deleted a tax rate')
}
