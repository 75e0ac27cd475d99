import { clearSessionCookie } from '../../plugins/session-cookie.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { readMe } from '../../models/me.ts'
import { changeEmail } from './change-email.ts'
import { changePassword } from './change-password.ts'
import { confirmEmailChange } from './confirm-email.ts'
import { deleteAccount, GRACE_DAYS } from './delete-account.ts'
import { listLogins } from './login-history.ts'
import { readNotifications, updateNotifications } from './notifications.ts'
import { updateProfile } from './profile.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'

export const accountHandlers = handlersFor('account', {
  async getMe({ services, principal }) {
    return { body: await readMe(services.knex, principal.account.id) }
  },

  async updateProfile({ services, principal, body }) {
    await updateProfile(services.knex, principal.account.id, body)
    return { body: await readMe(services.knex, principal.account.id) }
  },

  async getNotifications({ services, principal }) {
    return { body: await readNotifications(services.knex, principal.account.id) }
  },

  async updateNotifications({ services, principal, body }) {
    return { body: await updateNotifications(services, principal.account.id, body) }
  },

  async changePassword({ services, principal, body, source }) {
    const working = await changePassword(services, principal, body, source)
    return { body: { message: 'Your password was changed.', working_credentials: working } }
  },

  async changeEmail({ services, principal, body, source }) {
    await changeEmail(services, principal.account, body, source)
    return { body: { message: 'Please open the links that we mailed to both addresses.' } }
  },

  async confirmEmailChange({ services, body }) {
    const isChanged = await confirmEmailChange(services, body.token)
    const message = isChanged
      ? 'Your email address was changed.'
      : 'This address is confirmed. The change takes effect when the other address is confirmed too.'
    return { body: { message, is_changed: isChanged } }
  },

  async deleteAccount({ services, principal, body, source, reply }) {
    const dueAt = await deleteAccount(services, principal.account, body.password, source)
    clearSessionCookie(reply, services.config)
    const message = `Your account will be deleted in ${GRACE_DAYS} days. To keep it, sign in before then.`
    return { body: { message, deletion_due_at: dueAt.toISOString() } }
  },

  async listSessions({ services, principal }) {
    return { body: await listSessions(services, principal) }
  },

  async endOtherSessions({ services, principal, source }) {
    await endOtherSessions(services.knex, principal, source)
    return { body: undefined }
  },

  async endSession({ services, principal, params, reply }) {
    await endSession(services.knex, principal.account.id, params.id)
    if (params.id === principal.sessionId) clearSessionCookie(reply, services.config)
    return { body: undefined }
  },

  async listLogins({ services, principal }) {
    return { body: await listLogins(services.knex, principal.account.id) }
  },
})
