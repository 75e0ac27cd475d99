import { describe, expect, test } from 'vitest'
import { PRODUCTION, useSupervisorConfig } from './test-support.ts'

const { config, refusal } = useSupervisorConfig()

describe('the CAPTCHA', () => {
  const keys = { CAPTCHA_SITE_KEY: 'a-site-key', CAPTCHA_SECRET: 'hunter2' }

  test.each(['none', 'altcha'])('%s needs nothing more, and takes nothing more', (provider) => {
    expect(config({ CAPTCHA_PROVIDER: provider }).captcha).toEqual({ provider })
    const more = { ...keys, CAPTCHA_VERIFY_URL: 'https://captcha.example.net/' }
    for (const [name, text] of Object.entries(more)) {
      const line = refusal({ CAPTCHA_PROVIDER: provider, [name]: text })
      expect(line).toMatch(new RegExp(`^${name} is .*no value with CAPTCHA_PROVIDER=${provider}$`))
      expect(line).not.toContain(text)
    }
  })

  test.each([
    ['turnstile', 'https://challenges.cloudflare.com/turnstile/v0/siteverify'],
    ['hcaptcha', 'https://api.hcaptcha.com/siteverify'],
  ])('%s requires both keys, and uses %s', (provider, url) => {
    const { captcha } = config({ CAPTCHA_PROVIDER: provider, ...keys })
    const shown = { provider, siteKey: 'a-site-key', secret: 'hunter2' }
    expect(captcha).toMatchObject(shown)
    expect(captcha).toHaveProperty('verifyUrl.href', url)
    for (const name of ['CAPTCHA_SITE_KEY', 'CAPTCHA_SECRET']) {
      const line = refusal({ CAPTCHA_PROVIDER: provider, ...keys, [name]: '' })
      expect(line).toMatch(new RegExp(`^${name} is not set; it takes .*=${provider}$`))
    }
  })

  test('uses another URL if configured, in production only over TLS', () => {
    const given = { CAPTCHA_PROVIDER: 'turnstile', ...keys, CAPTCHA_VERIFY_URL: 'http://a.test/v' }
    expect(config(given).captcha).toHaveProperty('verifyUrl.href', 'http://a.test/v')
    expect(refusal({ ...PRODUCTION, ...given })).toMatch(/^CAPTCHA_VERIFY_URL is .*an https URL$/)
    expect(refusal({ ...given, CAPTCHA_VERIFY_URL: 'captcha' })).toMatch(/^CAPTCHA_VERIFY_URL is /)
  })
})
