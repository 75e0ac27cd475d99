import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { apiKeyBody } from './api-key-row.ts'
import { listApiKeys } from './list-api-keys.ts'
import { rotateApiKey } from './rotate-key.ts'
import { createApiKey, deleteApiKey } from './service.ts'
import { testApiKey } from './test-key.ts'
import { updateApiKey } from './update-key.ts'

export const apiKeyHandlers = handlersFor('api-keys', {
  async listApiKeys({ services, principal, query }) {
    const { keys, offset, total } = await listApiKeys(services.knex, principal.account, query)
    return {
      body: keys.map((key) => apiKeyBody(key, services.now())),
      headers: contentRange('api-keys', offset, keys.length, total),
    }
  },

  async createApiKey({ services, principal, body, source }) {
    const made = await createApiKey(services, principal, body, source)
    return { body: { ...apiKeyBody(made, services.now()), key: made.key } }
  },

  async updateApiKey({ services, principal, params, body, source, request }) {
    const ifMatch = request.headers['if-match']
    const row = await updateApiKey(
      services,
      principal,
      { ...params, change: body, ifMatch },
      source,
    )
    return { body: apiKeyBody(row, services.now()), headers: { etag: `"${row.version}"` } }
  },

  async rotateApiKey({ services, principal, params, body, source }) {
    return { body: await rotateApiKey(services, principal, { ...params, ...body }, source) }
  },

  async testApiKey({ services, principal, params, query }) {
    return { body: await testApiKey(services, principal.account, params, query) }
  },

  async deleteApiKey({ services, principal, params }) {
    await deleteApiKey(services.knex, principal.account.id, params.id)
    return { body: undefined }
  },
})
