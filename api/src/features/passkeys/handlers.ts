import { handlersFor } from '../../plugins/contract.ts'
import { handOver, handOverRenewed, requireOwnPage } from '../../plugins/sign-in-answer.ts'
import { addPasskey, startPasskey } from './add-passkey.ts'
import { confirmByPasskey, startConfirmation } from './confirm.ts'
import { passkeyBody } from './passkey-row.ts'
import { listPasskeys, removePasskey, renamePasskey } from './passkeys.ts'
import { signIn, startSignIn } from './sign-in.ts'

export const passkeyHandlers = handlersFor('passkeys', {
  async startPasskey({ services, principal }) {
    return { body: await startPasskey(services, principal) }
  },

  async addPasskey({ services, principal, body }) {
    const { row, recoveryCodes } = await addPasskey(services, principal, body)
    return { body: { ...passkeyBody(row), recovery_codes: recoveryCodes } }
  },

  async listPasskeys({ services, principal }) {
    const rows = await listPasskeys(services.knex, principal.account.id)
    return { body: rows.map(passkeyBody) }
  },

  async renamePasskey({ services, principal, params, body }) {
    const row = await renamePasskey(services.knex, principal.account.id, params.id, body.name)
    return { body: passkeyBody(row) }
  },

  async removePasskey({ services, principal, params }) {
    await removePasskey(services, principal, params.id)
    return { body: undefined }
  },

  async startPasskeySignIn({ services, body, source, request, reply }) {
    requireOwnPage({ request, reply, services })
    return { body: await startSignIn(services, body.login_token, source) }
  },

  async signInByPasskey({ services, body, source, request, reply }) {
    const call = { request, reply, services }
    requireOwnPage(call)
    return { body: await handOver(call, await signIn(services, body, source)) }
  },

  async startPasskeyConfirmation({ services, principal }) {
    return { body: await startConfirmation(services, principal) }
  },

  async confirmByPasskey({ services, principal, body, request, reply }) {
    const token = await confirmByPasskey(services, principal, body.credential)
    return { body: handOverRenewed({ request, reply, services }, principal, token) }
  },
})
