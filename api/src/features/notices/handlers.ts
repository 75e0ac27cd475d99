import { handlersFor } from '../../plugins/contract.ts'
import { dismissNotice, listNotices } from './notices.ts'

export const noticeHandlers = handlersFor('notices', {
  async listNotices({ services, principal }) {
    return { body: await listNotices(services, principal.account.id) }
  },

  async dismissNotice({ services, principal, params }) {
    await dismissNotice(services, principal.account.id, params.id)
    return { body: undefined }
  },
})
