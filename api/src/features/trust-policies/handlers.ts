import { handlersFor } from '../../plugins/contract.ts'
import { exchangeToken } from './exchange-token.ts'
import { policyBody } from './policy-row.ts'
import { createTrustPolicy, deleteTrustPolicy, listTrustPolicies } from './service.ts'

export const trustPolicyHandlers = handlersFor('trust-policies', {
  async listTrustPolicies({ services, principal }) {
    const policies = await listTrustPolicies(services.knex, principal.account)
    return { body: policies.map((row) => policyBody(row, services.config.publicUrl)) }
  },

  async createTrustPolicy({ services, principal, body, source }) {
    const made = await createTrustPolicy(services, principal, body, source)
    return { body: policyBody(made, services.config.publicUrl) }
  },

  async deleteTrustPolicy({ services, principal, params }) {
    await deleteTrustPolicy(services.knex, principal.account.id, params.id)
    return { body: undefined }
  },

  async exchangeToken({ services, params, body, source }) {
    return { body: await exchangeToken(services, params.id, body.token, source.ip) }
  },
})
