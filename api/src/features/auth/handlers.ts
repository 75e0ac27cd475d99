import { endSession } from '../../credentials/session.ts'
import { handlersFor } from '../../plugins/contract.ts'
import {
  clearRegistrationCookie,
  registrationCookie,
  setRegistrationCookie,
} from '../../plugins/registration-cookie.ts'
import { isFromBrowser, isSameOrigin } from '../../plugins/same-origin.ts'
import { clearSessionCookie } from '../../plugins/session-cookie.ts'
import { handOver, requireOwnPage, type SignInCall } from '../../plugins/sign-in-answer.ts'
import { checkUsername } from './check-username.ts'
import { forgotPassword } from './forgot-password.ts'
import { login } from './login.ts'
import { register } from './register.ts'
import { isRegistrationOpen, isRegistrationVerified } from './registration-status.ts'
import { readResetSubject, resetPassword } from './reset-password.ts'
import { TEXTS } from './texts.ts'
import { openLink, resendVerification, verifyEmail } from './verify-email.ts'
import { sendToScreen } from './verify-screen.ts'
import { prefersHtml } from '../../rules/prefers-html.ts'

const verified = { body: { message: TEXTS.verified } }

/** Clears the cookie of a registration after the sign-in that ended it. */
async function clearUsedRegistration({ request, reply, services }: SignInCall): Promise<void> {
  const { config, knex } = services
  const secret = registrationCookie(request, config)
  if (secret === undefined || (await isRegistrationOpen(knex, secret))) return
  clearRegistrationCookie(reply, config)
}

export const authHandlers = handlersFor('auth', {
  async register({ services, body, source, request, reply }) {
    const { config } = services
    const isOwnPage =
      isFromBrowser(request.headers) && isSameOrigin(request.headers, config.publicUrl)
    const formerSecret = isOwnPage ? registrationCookie(request, config) : undefined
    const { account, secret } = await register(services, body, { source, formerSecret })
    if (isOwnPage) setRegistrationCookie(reply, config, secret)
    return { body: account }
  },

  async getRegistrationStatus({ services, request }) {
    const secret = registrationCookie(request, services.config)
    return { body: { verified: await isRegistrationVerified(services.knex, secret) } }
  },

  async checkUsername({ services, params, source }) {
    return { body: await checkUsername(services, params.username, source) }
  },

  async verifyEmailByLink({ services, params, request, reply }) {
    const { config } = services
    void reply.header('vary', 'accept')
    if (prefersHtml(request.headers.accept)) {
      sendToScreen(reply, params.token)
      return verified
    }
    const secret = registrationCookie(request, config)
    const isTrial = request.method === 'HEAD'
    await openLink(services, { token: params.token, secret, isTrial })
    return verified
  },

  async verifyEmail({ services, body }) {
    await verifyEmail(services, body.token)
    return verified
  },

  async resendVerification({ services, body, source }) {
    await resendVerification(services, body.email, source)
    return { body: { message: TEXTS.resent } }
  },

  async forgotPassword({ services, body, source }) {
    await forgotPassword(services, body.email, source)
    return { body: { message: TEXTS.forgotten } }
  },

  async verifyResetToken({ services, params }) {
    return { body: await readResetSubject(services, params.token) }
  },

  async resetPassword({ services, body, source }) {
    const working = await resetPassword(services, body, source)
    return { body: { message: TEXTS.resetDone, working_credentials: working } }
  },

  async login(call) {
    requireOwnPage(call)
    const outcome = await login(call.services, call.body, call.source)
    if (outcome.kind === 'session') {
      await clearUsedRegistration(call)
      return { body: await handOver(call, outcome) }
    }
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
