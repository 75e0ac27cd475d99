/** Keys of payment providers: whole, or refused with the name of the variable. */
import { describe, expect, test } from 'vitest'
import { PRODUCTION, useSupervisorConfig } from './test-support.ts'

const { config, refusal } = useSupervisorConfig()
const STRIPE = { STRIPE_SECRET_KEY: 'sk_live_51Abc', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
const TEST_KEY = { ...STRIPE, STRIPE_SECRET_KEY: 'sk_test_51Abc' }
const PAYPAL = {
  PAYPAL_CLIENT_ID: 'AbCdEfGhIjKl',
  PAYPAL_CLIENT_SECRET: 'secret',
  PAYPAL_WEBHOOK_ID: 'WH-1',
}
const SANDBOX = { ...PAYPAL, PAYPAL_API_BASE: 'https://api-m.sandbox.paypal.com' }

test('without keys, nothing is sold, and questions go to the first zone', () => {
  expect(config({ ZONES: 'dyn.example.net' }).payments).toEqual({
    stripe: undefined,
    paypal: undefined,
    supportEmail: 'support@dyn.example.net',
  })
})

test('live keys are accepted in production', () => {
  const { payments } = config({ ...PRODUCTION, ...STRIPE, ...PAYPAL })
  expect(payments.stripe).toMatchObject({
    isTest: false,
    apiBase: new URL('https://api.stripe.com'),
  })
  expect(payments.paypal).toMatchObject({
    isTest: false,
    apiBase: new URL('https://api-m.paypal.com'),
  })
})

test('keys for tests need ALLOW_TEST_PAYMENTS=1 in production', () => {
  expect(refusal({ ...PRODUCTION, ...TEST_KEY })).toMatch(
    /^STRIPE_SECRET_KEY is .*ALLOW_TEST_PAYMENTS=1/,
  )
  expect(refusal({ ...PRODUCTION, ...SANDBOX })).toMatch(
    /^PAYPAL_API_BASE is .*ALLOW_TEST_PAYMENTS=1/,
  )
  const allowed = { ...PRODUCTION, ...TEST_KEY, ...SANDBOX, ALLOW_TEST_PAYMENTS: '1' }
  expect(config(allowed).payments).toMatchObject({
    stripe: { isTest: true },
    paypal: { isTest: true },
  })
  expect(config({ ...TEST_KEY, ...SANDBOX }).payments.stripe?.isTest).toBe(true)
})

test('accounts and modes are told apart, and a rolled key is the same account', () => {
  const realm = (key: string) =>
    config({ ...STRIPE, STRIPE_SECRET_KEY: key }).payments.stripe?.realm
  const account = 'sk_live_51AbcdefghijklmnopQ'
  expect(realm(`${account}one`)).toBe(realm(`${account}two`))
  expect(realm(`${account}one`)).not.toBe(realm(`${account.replace('live', 'test')}one`))
})

describe('half a configuration', () => {
  test.each([
    ['STRIPE_WEBHOOK_SECRET', { ...STRIPE, STRIPE_WEBHOOK_SECRET: '' }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
    ['STRIPE_SECRET_KEY', { ...STRIPE, STRIPE_SECRET_KEY: 'pk_live_1' }],
    ['STRIPE_API_BASE', { ...STRIPE, STRIPE_API_BASE: 'https://api.example.net/v1' }],
    ['STRIPE_API_BASE', { ...PRODUCTION, ...STRIPE, STRIPE_API_BASE: 'http://api.example.net' }],
    ['PAYPAL_CLIENT_SECRET', { ...PAYPAL, PAYPAL_CLIENT_SECRET: '' }],
    ['PAYPAL_WEBHOOK_ID', { ...PAYPAL, PAYPAL_WEBHOOK_ID: '' }],
    ['PAYPAL_WEBHOOK_ID', { PAYPAL_WEBHOOK_ID: 'WH-1' }],
    ['PAYPAL_API_BASE', { ...PAYPAL, PAYPAL_API_BASE: 'api-m.paypal.com' }],
    ['ALLOW_TEST_PAYMENTS', { ALLOW_TEST_PAYMENTS: 'yes' }],
    ['SUPPORT_EMAIL', { SUPPORT_EMAIL: 'nobody' }],
  ])('names %s', (name, environment) => {
    const line = refusal(environment)
    expect(line.startsWith(`${name} is `)).toBe(true)
    expect(line).not.toMatch(/51Abc|whsec_1|secret"/)
  })
})
