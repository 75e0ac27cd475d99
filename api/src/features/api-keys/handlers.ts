import type { ApiKey } from '@homing/openapi'
import { handlersFor } from '../../plugins/contract.ts'
import { type ApiKeyRow, createApiKey, deleteApiKey, listApiKeys } from './service.ts'

function apiKeyBody({ id, name, prefix, created_at, last_used_at }: ApiKeyRow): ApiKey {
  return {
    id,
    name,
    prefix,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}

export const apiKeyHandlers = handlersFor('api-keys', {
  async listApiKeys({ services, principal }) {
    const keys = await listApiKeys(services.knex, principal.account)
    return { body: keys.map(apiKeyBody) }
  },

  async createApiKey({ services, principal, body }) {
    const made = await createApiKey(services, principal.account, body.name)
    return { body: { ...apiKeyBody(made), key: made.key } }
  },

  async deleteApiKey({ services, principal, params }) {
    await deleteApiKey(services.knex, principal.account.id, params.id)
    return { body: undefined }
  },
})
