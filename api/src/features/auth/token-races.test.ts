/** A single-use token works once, even if several calls send it to several replicas at the same moment. */
import type { EmailConfirmation } from '@homing/openapi'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld, PASSWORD, testApp } from '../../../test/support/api-world.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { KeepingMailer, linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { createServices, type Services, stopServices } from '../../compose.ts'

const mailer = new KeepingMailer()
let world: ApiWorld
let replica: FastifyInstance
let replicaServices: Services
let people = 0
let name: string
let email: string

beforeAll(async () => {
  world = await openApiWorld()
  const { config, knex } = world.services
  replicaServices = createServices({ config, knex, log: pino({ level: 'silent' }) })
  replica = await testApp(replicaServices)
})
afterAll(async () => {
  await replica.close()
  await stopServices(replicaServices)
  await world.end()
})
beforeEach(() => {
  people += 1
  name = `person${people}`
  email = `${name}@mail.test`
  mailer.sent.length = 0
})

const post = (url: string, body: object, headers = {}) =>
  call(world.app, 'POST', url, { body, headers })

/** The token of the newest mail to an address. */
async function mailedTo(address: string): Promise<string> {
  await runJobs(world.services, mailer)
  return linkTokenOf(mailer.sent.findLast(({ to }) => to === address))
}

interface Kind {
  readonly url: string
  /** Creates the account that a token belongs to, and returns its headers, if it has a session. */
  readonly prepare: () => Promise<Readonly<Record<string, string>>>
  /** Requests a token, which invalidates an older one. */
  readonly ask: (headers: Readonly<Record<string, string>>) => Promise<string>
  readonly body: (token: string, n: number) => object
  /** The refusal of a used token; `link-invalid` by default. */
  readonly repeated?: string
}

const signedIn = async () => (await world.person(name)).headers

const KINDS: Readonly<Record<string, Kind>> = {
  'that verifies an address': {
    url: '/api/verify-email',
    async prepare() {
      const account = { username: name, email, password: PASSWORD }
      expect((await post('/api/register', account)).status).toBe(201)
      return {}
    },
    async ask() {
      expect((await post('/api/resend-verification', { email })).status).toBe(200)
      return mailedTo(email)
    },
    repeated: 'already-verified',
    body: (token) => ({ token }),
  },
  'that sets a password': {
    url: '/api/reset-password',
    prepare: signedIn,
    async ask() {
      expect((await post('/api/forgot-password', { email })).status).toBe(200)
      return mailedTo(email)
    },
    body: (token, n) => ({ token, new_password: `another long password ${n}` }),
  },
  'that confirms a new address': {
    url: '/api/confirm-email-change',
    prepare: signedIn,
    async ask(headers) {
      const wish = { email: `${name}@example.net`, password: PASSWORD }
      expect((await post('/api/change-email', wish, headers)).status).toBe(200)
      return mailedTo(wish.email)
    },
    body: (token) => ({ token }),
  },
}

describe.each(Object.keys(KINDS))('a token %s', (what) => {
  const kind = KINDS[what] as Kind
  const show = (token: string, n: number): Promise<Reply> =>
    call(n % 2 === 0 ? world.app : replica, 'POST', kind.url, { body: kind.body(token, n) })

  test.each([2, 20])('works for one of %i concurrent calls', async (count) => {
    const token = await kind.ask(await kind.prepare())
    const replies = await Promise.all(Array.from({ length: count }, (_, n) => show(token, n)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused.map((reply) => problemOf(reply).code)).toEqual(
      Array(count - 1).fill(kind.repeated ?? 'link-invalid'),
    )
  })

  test('is invalid after a newer one was created', async () => {
    const headers = await kind.prepare()
    const older = await kind.ask(headers)
    const newer = await kind.ask(headers)
    expect(newer).not.toBe(older)
    const replies = await Promise.all([show(older, 0), show(newer, 1), show(older, 2)])
    expect(replies.map(({ status }) => status)).toEqual([400, 200, 400])
  })
})

test('of the tokens of a new address, each sent by ten concurrent calls, one makes the change', async () => {
  const { headers } = await world.person(name)
  const wish = { email: `${name}@example.net`, password: PASSWORD }
  await post('/api/change-email', wish, headers)
  const tokens = [await mailedTo(wish.email), await mailedTo(email)]
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      call(n % 3 === 0 ? world.app : replica, 'POST', '/api/confirm-email-change', {
        body: { token: tokens[n % 2] },
      }),
    ),
  )
  const taken = replies.filter(({ status }) => status === 200)
  const outcomes = taken.map((reply) => reply.json<EmailConfirmation>().is_changed)
  expect(outcomes).toHaveLength(2)
  expect(outcomes.filter(Boolean)).toHaveLength(1)
})
