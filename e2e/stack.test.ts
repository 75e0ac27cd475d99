/**
 * `npm start`: its output, how it stops, that parts restart after a crash, which parts hold the secrets, and how `SECRET_KEY` is
 * replaced without an interruption for users. The tests are one life of a service: each goes on with the data of the one before.
 */
import { createApiClient } from '@homing/openapi/client'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../test/free-ports.ts'
import { type Account, registerAccount } from './support/accounts.ts'
import { ask, askOverTcp } from './support/dns.ts'
import {
  eventually,
  type PartName,
  ROOT,
  type Stack,
  startStack,
  temporaryDataDir,
} from './support/stack.ts'

const runFile = promisify(execFile)
/** The settings of an operator's first start. An empty variable counts as unset. */
const DEFAULTS = { CAPTCHA_PROVIDER: '' }
const STEP_MS = 30_000
const OLD_KEY = 'the key that is replaced, 32 characters'
const NEW_KEY = 'the key that replaces it, 32 characters'
const PARTS: readonly PartName[] = ['api', 'worker', 'dnsd', 'forwarder']
const folder = temporaryDataDir()
let stack: Stack

beforeAll(async () => {
  stack = await startStack({ dataDir: folder.path, env: DEFAULTS, createsData: true })
})
afterAll(async () => {
  await stack.stop()
  folder.remove()
})

/** Starts it again over the same data. */
async function startAgain(env: Readonly<Record<string, string>>): Promise<void> {
  stack = await startStack({ dataDir: folder.path, env })
}

const healthy = async () => (await fetch(`${stack.url}/api/health`)).status === 200
const answering = async () => (await ask(stack.dnsPort, 'homing.test', 'SOA')).rcode === 'NOERROR'
const processExists = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('its output', () => {
  test('`ready` is the last line, alone, and then everything answers', async () => {
    expect(stack.printed.at(-1)).toBe('ready')
    expect(await healthy()).toBe(true)
    expect(await answering()).toBe(true)
    expect((await askOverTcp(stack.dnsPort, 'homing.test', 'NS')).answers).toHaveLength(2)
  })

  test('the three commands work when pasted into a shell with another Node.js', async () => {
    const commands = stack.printed.filter((line) => /^(npx homing|curl|dig) /.test(line))
    expect(commands).toHaveLength(3)
    const password = readFileSync(join(stack.dataDir, 'admin-password'), 'utf8').trim()
    expect(stack.printed.join('\n')).not.toContain(password)
    for (const command of commands) {
      const { stdout } = await runFile('/bin/sh', ['-c', command], {
        cwd: ROOT,
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: stack.dataDir },
      })
      expect(stdout.trim()).not.toBe('')
    }
  })

  test('secrets are readable by their owner alone', () => {
    for (const file of ['admin-password', 'secret-key']) {
      expect(statSync(join(stack.dataDir, file)).mode & 0o777).toBe(0o600)
    }
  })
})

test('Ctrl-C stops every part with exit code 0, and a second start uses the same data', async () => {
  const pids = [...PARTS.map((part) => stack.pidOf(part)), stack.postgresPid()]
  expect(await stack.stop()).toBe(0)
  expect(pids.filter(processExists)).toEqual([])
  await startAgain({ SECRET_KEY: OLD_KEY })
  expect(await answering()).toBe(true)
})

describe('a killed part restarts', () => {
  test.each(PARTS)('kill -9 of %s', async (part) => {
    const before = stack.pidOf(part)
    process.kill(before, 'SIGKILL')
    await eventually(
      async () => stack.pidOf(part),
      (pid) => pid !== before && processExists(pid),
    )
    expect(await eventually(healthy, Boolean)).toBe(true)
    expect(await eventually(answering, Boolean)).toBe(true)
  })

  test('a part that crashes repeatedly does not affect the other parts', async () => {
    const [forwarder, postgres] = [() => stack.pidOf('forwarder'), () => stack.postgresPid()]
    for (const pidOf of [...Array.from({ length: 6 }, () => forwarder), postgres]) {
      const before = pidOf()
      process.kill(before, 'SIGKILL')
      await eventually(
        async () => pidOf(),
        (pid) => pid !== before && processExists(pid),
        30_000,
      )
    }
    expect(await eventually(healthy, Boolean, 30_000)).toBe(true)
  })

  test('kill -9 of PostgreSQL: DNS continues, the rest recovers by itself', async () => {
    const before = stack.postgresPid()
    process.kill(before, 'SIGKILL')
    expect(await answering()).toBe(true)
    await eventually(
      async () => stack.postgresPid(),
      (pid) => pid !== before,
      30_000,
    )
    await eventually(healthy, Boolean, 30_000)
    expect(await answering()).toBe(true)
  })
})

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

let metricsPort = 0
const environmentOf = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')

/** Accounts with an authenticator app, whose secret is encrypted with the key of the second start. */
const owners: { readonly account: Account; readonly secret: string }[] = []

test('kill -9 of the supervisor ends every part, and the next start cleans up', async () => {
  for (const name of ['ada', 'bob']) {
    const account = await registerAccount(stack, name)
    owners.push({ account, secret: await addApp(account) })
  }
  const pids = PARTS.map((part) => stack.pidOf(part))
  stack.process.kill('SIGKILL')
  await eventually(
    async () => pids.filter(processExists),
    (left) => left.length === 0,
  )
  const [port = 0] = await freePorts(1)
  metricsPort = port
  await startAgain({
    SECRET_KEY: NEW_KEY,
    SECRET_KEY_PREVIOUS: OLD_KEY,
    METRICS_TOKEN: 'the token of metrics',
    SMTP_URL: 'smtp://user:secret-of-smtp@127.0.0.1:1',
    STRIPE_SECRET_KEY: 'sk_test_secret-of-payments',
    STRIPE_WEBHOOK_SECRET: 'whsec_secret-of-payments',
    WORKER_METRICS_PORT: String(metricsPort),
  })
  expect(await healthy()).toBe(true)
})

test('SECRET_KEY is replaced while authenticator apps go on working, and no part holds secrets of another', async () => {
  const held = (pid: number) =>
    environmentOf(pid)
      .filter((line) => /secret|key that|token of/.test(line))
      .map((line) => line.slice(0, line.indexOf('=')))
      .toSorted()
  const part = (name: PartName) => held(stack.pidOf(name))
  expect(part('dnsd')).toEqual([])
  expect(part('forwarder')).toEqual([])
  expect(held(stack.postgresPid())).toEqual([])
  const keys = ['SECRET_KEY', 'SECRET_KEY_PREVIOUS']
  const ofPayments = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']
  expect(part('api')).toEqual(['METRICS_TOKEN', ...keys, ...ofPayments])
  expect(part('worker')).toEqual([...keys, 'SMTP_URL', ...ofPayments])

  const [ada, bob] = owners
  if (ada === undefined || bob === undefined) throw new Error('two people have apps')
  expect(await codeSignIn(stack.url, ada.account, ada.secret)).toBe(200)
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const isRewritten = (text: string) =>
    text.includes('homing_worker_stored_secrets{key="current"} 2\n') &&
    text.includes('homing_worker_stored_secrets{key="previous"} 0\n')
  await eventually(metrics, isRewritten)
  expect(stack.log()).toContain('no stored secret is encrypted with SECRET_KEY_PREVIOUS')

  await stack.stop()
  await startAgain({ SECRET_KEY: NEW_KEY })
  expect(await codeSignIn(stack.url, bob.account, bob.secret)).toBe(200)
})
