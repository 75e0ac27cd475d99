import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { deleteTaxRate, setTaxRate } from './change-tax-rate.ts'
import { listTaxRates, taxRateBody } from './tax-rate-list.ts'

export const taxRateHandlers = handlersFor('tax-rates', {
  async listTaxRates({ services, query }) {
    const { rates, offset, total } = await listTaxRates(services.knex, query)
    return {
      body: rates.map(taxRateBody),
      headers: contentRange('tax-rates', offset, rates.length, total),
    }
  },

  async setTaxRate({ services, principal, params, body }) {
    return {
      body: taxRateBody(await setTaxRate(services, params.country, body, principal.account)),
    }
  },

  async deleteTaxRate({ services, principal, params }) {
    await deleteTaxRate(services, params.country, principal.account)
    return { body: undefined }
  },
})
