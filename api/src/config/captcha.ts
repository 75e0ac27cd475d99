/** The CAPTCHA provider. An incomplete configuration would admit everyone or no one, so it stops the start. */
import { CAPTCHA_PROVIDERS, type CaptchaProvider } from '@homing/openapi/vocabulary'
import { ConfigError, hidden } from './config-error.ts'
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { isProduction } from './process-settings.ts'
import type { Variables } from './variables.ts'

export type CaptchaConfig =
  | { readonly provider: 'none' }
  | { readonly provider: 'altcha' }
  | {
      readonly provider: 'turnstile' | 'hcaptcha'
      readonly siteKey: string
      readonly secret: string
      readonly verifyUrl: URL
    }

const VERIFY_URLS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const

const OF_PROVIDERS = ['CAPTCHA_SITE_KEY', 'CAPTCHA_SECRET', 'CAPTCHA_VERIFY_URL'] as const
const VARIABLES = ['NODE_ENV', 'CAPTCHA_PROVIDER', ...OF_PROVIDERS] as const

export const captchaChoice = configGroup(VARIABLES, (variables) => ({
  captcha: captchaConfigOf(variables),
}))

/**
 * @throws ConfigError for an unknown provider, and for a setting that is missing or does not apply
 * to the provider
 */
function captchaConfigOf(variables: Variables<(typeof VARIABLES)[number]>): CaptchaConfig {
  const provider = variables.value<CaptchaProvider>(
    'CAPTCHA_PROVIDER',
    CAPTCHA_PROVIDERS.join(', '),
    parse.oneOf(...CAPTCHA_PROVIDERS),
    'altcha',
  )
  const meant = `with CAPTCHA_PROVIDER=${provider}`
  if (provider === 'none' || provider === 'altcha') {
    for (const name of OF_PROVIDERS) {
      const text = variables.text(name)
      if (text !== undefined) throw new ConfigError(name, hidden(text), `no value ${meant}`)
    }
    return { provider }
  }
  const required = (name: 'CAPTCHA_SITE_KEY' | 'CAPTCHA_SECRET') => {
    const takes = `the value from the provider, ${meant}`
    const text = variables.secret(name, takes, parse.textFrom(1))
    if (text === undefined) throw new ConfigError(name, undefined, takes)
    return text
  }
  const needsTls = isProduction(variables)
  const url = needsTls ? parse.urlOf('https:') : parse.urlOf('https:', 'http:')
  return {
    provider,
    siteKey: required('CAPTCHA_SITE_KEY'),
    secret: required('CAPTCHA_SECRET'),
    verifyUrl: variables.value(
      'CAPTCHA_VERIFY_URL',
      `an ${needsTls ? 'https' : 'https or http'} URL`,
      url,
      new URL(VERIFY_URLS[provider]),
    ),
  }
}
