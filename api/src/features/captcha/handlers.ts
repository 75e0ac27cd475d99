import { notFound } from '../../rules/errors.ts'
import { handlersFor } from '../../plugins/contract.ts'

export const captchaHandlers = handlersFor('captcha', {
  async getCaptcha({ services }) {
    return { body: services.captcha?.terms ?? { provider: 'none' } }
  },

  async getCaptchaChallenge({ services }) {
    if (services.captcha?.newChallenge === undefined) throw notFound('challenge')
    return { body: await services.captcha.newChallenge() }
  },
})
