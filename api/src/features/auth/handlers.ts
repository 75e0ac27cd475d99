import { endSession } from '../../credentials/session.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { clearSessionCookie } from '../../plugins/session-cookie.ts'
import { handOver, requireOwnPage } from '../../plugins/sign-in-answer.ts'
import { forgotPassword } from './forgot-password.ts'
import { login } from './login.ts'
import { register } from './register.ts'
import { readResetSubject, resetPassword } from './reset-password.ts'
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
    sendVerifyPage(reply, refusal, services.config.productName)
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
    return { body: await readResetSubject(services, params.token) }
  },

  async resetPassword({ services, body, origin }) {
    const working = await resetPassword(services, body, origin)
    return { body: { message: TEXTS.resetDone, working_credentials: working } }
  },

  async login(call) {
    requireOwnPage(call)
    const outcome = await login(call.services, call.body, call.origin)
    if (outcome.kind === 'session') return { body: await handOver(call, outcome) }
    if (outcome.kind === 'captcha') {
      return { body: { requires_captcha: true, captcha: outcome.captcha } }
    }
    const { token, methods, expiresAt } = outcome
    const expires_at = expiresAt.toISOString()
    return { body: { requires_second_factor: true, login_token: token, methods, expires_at } }
  },

  async logout({ services, principal, reply }) {
    await endSession(services.knex, principal.sessionId)
    clearSessionCookie(reply, services.config)
    return { body: undefined }
  },
})
