import type { UpdateToken } from '@homing/openapi'
import { handlersFor } from '../../plugins/contract.ts'
import {
  createUpdateToken,
  deleteUpdateToken,
  findUpdateToken,
  type UpdateTokenRow,
} from './service.ts'

function updateTokenBody(row: UpdateTokenRow): UpdateToken {
  return {
    prefix: row.prefix,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_used_ip: row.last_used_ip,
    last_client: row.last_client,
  }
}

export const updateTokenHandlers = handlersFor('update-tokens', {
  async getUpdateToken({ services, principal, params }) {
    const found = await findUpdateToken(services.knex, principal.account.id, params.id)
    return { body: updateTokenBody(found) }
  },

  async createUpdateToken({ services, principal, params, body, source }) {
    const wanted = { domainId: params.id, isReplacing: body.replace === true }
    const made = await createUpdateToken(services, principal, wanted, source)
    return { body: { ...updateTokenBody(made), token: made.token } }
  },

  async deleteUpdateToken({ services, principal, params }) {
    await deleteUpdateToken(services.knex, principal.account.id, params.id)
    return { body: undefined }
  },
})
