import { Refusal } from '../../domain/errors.ts'
import { endSession } from '../../credentials/session.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { isFromBrowser, isSameOrigin } from '../../plugins/same-origin.ts'
import { clearSessionCookie, setSessionCookie } from '../../plugins/session-cookie.ts'
import { signedInBody } from './account-body.ts'
import { forgotPassword } from './forgot-password.ts'
import { login } from './login.ts'
import { register } from './register.ts'
import { findResetLink, resetPassword } from './reset-password.ts'
import { TEXTS } from './texts.ts'
import { resendVerification, verifyEmail } from './verify-email.ts'
import { prefersHtml, sendVerifyPage } from './verify-page.ts'

const verified = { body: { message: TEXTS.verified } }

export const authHandlers = handlersFor('auth', {
  async register({ services, body, origin }) {
    return { body: await register(services, body, origin) }
  },

  async verifyEmailByLink({ services, params, request, reply }) {
    // HEAD asks what GET would say, and must not use the link up.
    if (request.method === 'HEAD') return verified
    if (!prefersHtml(request.headers.accept)) {
      await verifyEmail(services, params.token)
      return verified
    }
    const refusal: unknown = await verifyEmail(services, params.token).catch((error) => error)
    sendVerifyPage(reply, refusal)
    return verified
  },

  async verifyEmail({ services, body }) {
    await verifyEmail(services, body.token)
    return verified
  },

  async resendVerification({ services, body, origin }) {
    await resendVerification(services, body.email, origin)
    return { body: { message: TEXTS.resent } }
  },

  async forgotPassword({ services, body, origin }) {
    await forgotPassword(services, body.email, origin)
    return { body: { message: TEXTS.forgotten } }
  },

  async verifyResetToken({ services, params }) {
    const { username } = await findResetLink(services, params.token)
    return { body: { username } }
  },

  async resetPassword({ services, body }) {
    await resetPassword(services, body)
    return { body: { message: TEXTS.resetDone } }
  },

  async login({ services, body, origin, request, reply }) {
    const { headers } = request
    const isBrowser = isFromBrowser(headers)
    // Another site could sign its visitor in to an account of its own.
    if (isBrowser && !isSameOrigin(headers, services.config.publicUrl)) {
      throw new Refusal('cross-site', 'This request came from another site.')
    }
    const session = await login(services, body, origin)
    if (!isBrowser) return { body: signedInBody(session, session.token) }
    setSessionCookie(reply, services.config, session.token)
    return { body: signedInBody(session, 'session') }
  },

  async logout({ services, principal, reply }) {
    await endSession(services.knex, principal.sessionId)
    clearSessionCookie(reply, services.config)
    return { body: undefined }
  },
})
