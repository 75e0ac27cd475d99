/**
 * Follows the operators' guide block by block: production with its own PostgreSQL, each part as its own process, behind TLS.
 * From `npm run migrate` on an empty database to a domain that DNS resolves.
 */
import { createApiClient, isSignedIn, type ApiClient } from '@homing/openapi/client'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { existsSync } from 'node:fs'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { Deployment, ROLE } from './support/deployment.ts'
import { addressesOf, ask } from './support/dns.ts'
import { guideBlock } from './support/guide.ts'
import { eventually, type PartName } from './support/stack.ts'

const ZONE = 'dyn.example.net'
const FQDN = `home.${ZONE}`
const ADA = { username: 'ada', email: 'ada@mail.example', password: 'nine wild geese at dusk' }

let deployment: Deployment
let migrated: { stdout: string; stderr: string }

function client(token?: string): ApiClient {
  const { url, fetch } = deployment.proxy
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return createApiClient({ baseUrl: url, fetch, headers })
}

/** @throws Error when the password is refused */
async function signIn(username: string, password: string): Promise<ApiClient> {
  const { data } = await client().POST('/api/login', {
    body: { username_or_email: username, password },
  })
  if (data === undefined || !isSignedIn(data)) throw new Error(`${username} cannot sign in`)
  return client(data.token)
}

/** Solves the service's own CAPTCHA, as the widget does. */
async function solvedCaptcha(): Promise<string> {
  const { data: challenge } = await client().GET('/api/captcha/challenge')
  if (challenge === undefined) throw new Error('there is no CAPTCHA challenge')
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

/** The token in the link of the verification mail. */
async function mailedToken(address: string): Promise<string> {
  const received = async () => deployment.smtp.received.find(({ to }) => to.includes(address))
  const mail = await eventually(received, (found) => found !== undefined)
  expect(mail?.login).toBe(`${ROLE}:${deployment.secret('SMTP_PASSWORD')}`)
  const { text = '' } = await PostalMime.parse(mail?.text ?? '')
  expect(text).toContain(`${deployment.proxy.url}/`)
  return /verify-email\/([\w-]+)/.exec(text)?.[1] ?? ''
}

describe('the operators’ guide', needs('openssl'), () => {
  beforeAll(async () => {
    deployment = await Deployment.open()
    await deployment.runSql('database.sql')
    migrated = await deployment.migrate()
    await deployment.runSql('login.sql')
    deployment.startParts()
    await deployment.untilReady(ZONE)
  })
  afterAll(() => deployment.close())

  test('npm run migrate prints what the guide shows, without a secret, and can run again', async () => {
    expect(migrated).toEqual({ stdout: guideBlock('operators.md', 'migrate-output'), stderr: '' })
    const again = await deployment.migrate()
    expect(again).toEqual({
      stdout: `schema: up to date\nadministrator: exists\nzone ${ZONE}: unchanged\n`,
      stderr: '',
    })
  })

  test('the zone is served with its name servers', async () => {
    const { answers, authoritative } = await ask(deployment.ports.dns, ZONE, 'NS')
    expect(authoritative).toBe(true)
    const hosts = answers.flatMap((answer) => (answer.type === 'NS' ? [answer.data] : []))
    expect(hosts.toSorted()).toEqual([`ns1.${ZONE}`, `ns2.${ZONE}`])
    expect(await addressesOf(deployment.ports.dns, `ns1.${ZONE}`, 'A')).toEqual(['192.0.2.53'])
  })

  test('web forwarding follows its feed with its own login', async () => {
    const forward = () => fetch(`http://127.0.0.1:${deployment.ports.forward}/`)
    const page = await eventually(forward, ({ status }) => status !== 503)
    expect(page.status).toBe(404)
    expect(await page.text()).toContain('mailto:abuse@example.net')
  })

  test('the first administrator signs in to the back office', async () => {
    const admin = await signIn('admin', deployment.secret('FIRST_PASSWORD'))
    const { data } = await admin.GET('/api/admin/users')
    expect(data?.map(({ username }) => username)).toEqual(['admin'])
    const page = await deployment.proxy.fetch(new Request(`${deployment.proxy.url}/admin/`))
    expect(page.status).toBe(200)
  })

  test('a user registers, verifies, adds a domain and updates it, and DNS resolves it', async () => {
    const registered = await client().POST('/api/register', {
      body: { ...ADA, terms: true, captcha_token: await solvedCaptcha() },
    })
    expect(registered.response.status).toBe(201)
    const token = await mailedToken(ADA.email)
    const verified = await client().POST('/api/verify-email', { body: { token } })
    expect(verified.response.status).toBe(200)

    const ada = await signIn(ADA.username, ADA.password)
    const made = await ada.POST('/api/domains', {
      body: { fqdn: FQDN, zone: ZONE, rrtype: 'A', record_ip: '9.9.9.9' },
    })
    expect(made.response.status).toBe(201)

    const basic = Buffer.from(`${ADA.username}:${ADA.password}`).toString('base64')
    const update = new Request(
      `${deployment.proxy.url}/nic/update?hostname=${FQDN}&myip=149.112.112.112`,
      { headers: { authorization: `Basic ${basic}` } },
    )
    const answer = await deployment.proxy.fetch(update)
    expect(await answer.text()).toBe('good 149.112.112.112\n')
    await eventually(
      () => addressesOf(deployment.ports.dns, FQDN, 'A'),
      (addresses) => addresses.join() === '149.112.112.112',
    )
  })

  test('each part exits with 0 on SIGTERM, and only the DNS daemon and web forwarding have stored data', async () => {
    const parts: readonly PartName[] = ['api', 'worker', 'forwarder', 'dnsd']
    const codes: Record<string, number | null> = {}
    for (const part of parts) codes[part] = await deployment.stop(part)
    expect(codes).toEqual({ api: 0, worker: 0, forwarder: 0, dnsd: 0 })
    expect(existsSync(deployment.unusedDataDir)).toBe(false)
  })
})
