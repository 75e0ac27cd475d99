/** Which parts hold the secrets of a running service, and how `SECRET_KEY` is replaced without an interruption for users. */
import { createApiClient } from '@homing/openapi/client'
import { readFileSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { freePorts } from '../test/free-ports.ts'
import { type Account, registerAccount } from './support/accounts.ts'
import {
  eventually,
  type PartName,
  type Stack,
  startStack,
  temporaryDataDir,
} from './support/stack.ts'

const STEP_MS = 30_000
const OLD_KEY = 'the key that is replaced, 32 characters'
const NEW_KEY = 'the key that replaces it, 32 characters'

const folder = temporaryDataDir()
let stack: Stack | undefined
afterAll(async () => {
  await stack?.stop()
  folder.remove()
})

async function restart(env: Record<string, string>): Promise<Stack> {
  await stack?.stop()
  stack = await startStack({ dataDir: folder.path, env })
  return stack
}

/** The code of an authenticator app. @param steps the number of steps from now */
const codeOf = (secret: string, steps: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * STEP_MS,
  })

/** Adds an authenticator app to an account. @returns the app's secret */
async function addApp({ api }: Account): Promise<string> {
  const { data } = await api.POST('/api/me/totp')
  const secret = data?.secret ?? ''
  const confirmed = await api.POST('/api/me/totp/confirm', { body: { code: codeOf(secret, 0) } })
  expect(confirmed.response.status).toBe(200)
  return secret
}

/** Signs in with password and code. Uses the code of the next step, because the current one can already be used. */
async function codeSignIn(url: string, { username, password }: Account, secret: string) {
  const api = createApiClient({ baseUrl: url })
  const body = { username_or_email: username, password }
  const { data } = await api.POST('/api/login', { body })
  if (data === undefined || !('login_token' in data)) throw new Error('no code was asked for')
  const { response } = await api.POST('/api/login/second-factor', {
    body: { login_token: data.login_token, code: codeOf(secret, 1) },
  })
  return response.status
}

const environmentOf = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')

test('SECRET_KEY is replaced while authenticator apps go on working, and no part holds secrets of another', async () => {
  const before = await restart({ SECRET_KEY: OLD_KEY })
  const people = await Promise.all(['ada', 'bob'].map((name) => registerAccount(before, name)))
  const owners = await Promise.all(
    people.map(async (account) => ({ account, secret: await addApp(account) })),
  )

  const [metricsPort = 0] = await freePorts(1)
  const during = await restart({
    SECRET_KEY: NEW_KEY,
    SECRET_KEY_PREVIOUS: OLD_KEY,
    METRICS_TOKEN: 'the token of metrics',
    SMTP_URL: 'smtp://user:secret-of-smtp@127.0.0.1:1',
    STRIPE_SECRET_KEY: 'sk_test_secret-of-payments',
    STRIPE_WEBHOOK_SECRET: 'whsec_secret-of-payments',
    WORKER_METRICS_PORT: String(metricsPort),
  })
  const held = (pid: number) =>
    environmentOf(pid)
      .filter((line) => /secret|key that|token of/.test(line))
      .map((line) => line.slice(0, line.indexOf('=')))
      .toSorted()
  const part = (name: PartName) => held(during.pidOf(name))
  expect(part('dnsd')).toEqual([])
  expect(part('forwarder')).toEqual([])
  expect(held(during.postgresPid())).toEqual([])
  const keys = ['SECRET_KEY', 'SECRET_KEY_PREVIOUS']
  const ofPayments = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']
  expect(part('api')).toEqual(['METRICS_TOKEN', ...keys, ...ofPayments])
  expect(part('worker')).toEqual([...keys, 'SMTP_URL', ...ofPayments])

  const [ada, bob] = owners
  if (ada === undefined || bob === undefined) throw new Error('two people have apps')
  expect(await codeSignIn(during.url, ada.account, ada.secret)).toBe(200)
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const isRewritten = (text: string) =>
    text.includes('homing_worker_stored_secrets{key="current"} 2\n') &&
    text.includes('homing_worker_stored_secrets{key="previous"} 0\n')
  await eventually(metrics, isRewritten)
  expect(during.log()).toContain('no stored secret is encrypted with SECRET_KEY_PREVIOUS')

  const after = await restart({ SECRET_KEY: NEW_KEY })
  expect(await codeSignIn(after.url, bob.account, bob.secret)).toBe(200)
})
