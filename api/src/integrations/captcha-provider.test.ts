import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testOutgoing } from '../../test/support/outgoing.ts'
import { Refusal } from '../rules/errors.ts'
import type { CaptchaAction } from './captcha.ts'
import { providedCaptcha } from './captcha-provider.ts'

/** The `siteverify` of a provider: it accepts each known token once. */
class Provider {
  readonly asked: URLSearchParams[] = []
  readonly #verdicts = new Map<string, object>()
  #server: Server | undefined
  /** Its responses instead of verdicts. */
  broken: { status: number; body: string; location?: string } | undefined

  async start(): Promise<URL> {
    const server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body, location }) => {
        response.writeHead(status, location === undefined ? {} : { location }).end(body)
      })
    })
    this.#server = server
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`)
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((done) => (this.#server ? this.#server.close(done) : done(undefined)))
  }

  solve(token: string, verdict: object): void {
    this.#verdicts.set(token, verdict)
  }

  async #answer(request: IncomingMessage) {
    const form = new URLSearchParams(await text(request))
    this.asked.push(form)
    if (this.broken) return { location: undefined, ...this.broken }
    return { status: 200, body: JSON.stringify(this.#verdictOn(form)), location: undefined }
  }

  #verdictOn(form: URLSearchParams): object {
    const refused = (code: string) => ({ success: false, 'error-codes': [code] })
    if (form.get('secret') !== SECRET) return refused('invalid-input-secret')
    const token = form.get('response') ?? ''
    const verdict = this.#verdicts.get(token)
    if (verdict === undefined) return refused('invalid-input-response')
    this.#verdicts.set(token, refused('timeout-or-duplicate'))
    return verdict
  }
}

const SECRET = '1x0000000000000000000000000000000AA'
const log = pino({ level: 'silent' })
let server: Provider
let verifyUrl: URL

beforeEach(async () => {
  server = new Provider()
  verifyUrl = await server.start()
})
afterEach(() => server.stop())

const captcha = (provider: 'turnstile' | 'hcaptcha', secret = SECRET) =>
  providedCaptcha({
    provider,
    siteKey: 'a-site-key',
    secret,
    verifyUrl,
    hostname: 'dns.example.net',
    log,
    outgoing: testOutgoing({ allowsPrivate: false }),
  })
const accepts = (token: string, action: CaptchaAction = 'login') =>
  captcha('turnstile').accepts(token, action)
const here = { success: true, hostname: 'dns.example.net', action: 'login' }

describe('Turnstile', () => {
  test('is described by its site key only', () => {
    expect(captcha('turnstile').terms).toEqual({ provider: 'turnstile', site_key: 'a-site-key' })
  })

  test('accepts a solution once', async () => {
    server.solve('good', here)
    expect(await accepts('good')).toBe(true)
    expect(await accepts('good')).toBe(false)
    expect(server.asked.map((form) => Object.fromEntries(form))).toEqual([
      { secret: SECRET, response: 'good' },
      { secret: SECRET, response: 'good' },
    ])
  })

  test('accepts no solution of another site or for another action', async () => {
    server.solve('elsewhere', { ...here, hostname: 'evil.example' })
    server.solve('nowhere', { success: true, action: 'login' })
    server.solve('registering', { ...here, action: 'register' })
    server.solve('for nothing', { success: true, hostname: 'dns.example.net' })
    for (const token of ['elsewhere', 'nowhere', 'registering', 'for nothing', 'unknown']) {
      expect(await accepts(token)).toBe(false)
    }
  })
})

test('hCaptcha gets the site key, and has no actions', async () => {
  server.solve('good', { success: true, hostname: 'dns.example.net' })
  server.solve('elsewhere', { success: true, hostname: 'evil.example' })
  const asked = captcha('hcaptcha')
  expect(await asked.accepts('good', 'register')).toBe(true)
  expect(await asked.accepts('elsewhere', 'register')).toBe(false)
  expect(server.asked[0]?.get('sitekey')).toBe('a-site-key')
})

describe('no caller passes', () => {
  async function refusalOf(work: Promise<boolean>): Promise<unknown> {
    const refusal = await work.then(
      (verdict) => verdict,
      (error: unknown) => error,
    )
    expect(refusal).toBeInstanceOf(Refusal)
    return refusal
  }
  const UNAVAILABLE = { code: 'unavailable', retryAfterSeconds: 30 }

  test.each([
    ['answers 500', 500, 'Internal Server Error'],
    ['answers a page', 200, '<html></html>'],
    ['answers no verdict', 200, '{}'],
    ['answers null', 200, 'null'],
    ['answers a text for a verdict', 200, '{"success":"true","hostname":"dns.example.net"}'],
    ['answers without end', 200, JSON.stringify({ ...here, more: 'x'.repeat(70_000) })],
  ])('while the provider %s', async (_what, status, body) => {
    server.broken = { status, body }
    expect(await refusalOf(accepts('good'))).toMatchObject(UNAVAILABLE)
  })

  test('while the provider redirects: the secret is not sent there', async () => {
    const other = new Provider()
    const location = (await other.start()).href
    try {
      server.broken = { status: 307, body: '', location }
      expect(await refusalOf(accepts('good'))).toMatchObject(UNAVAILABLE)
      expect(other.asked).toEqual([])
    } finally {
      await other.stop()
    }
  })

  test('while the provider is down', async () => {
    await server.stop()
    expect(await refusalOf(accepts('good'))).toMatchObject(UNAVAILABLE)
  })

  test('while our own secret is wrong', async () => {
    server.solve('good', here)
    const wrong = captcha('turnstile', 'another').accepts('good', 'login')
    expect(await refusalOf(wrong)).toMatchObject(UNAVAILABLE)
  })
})
