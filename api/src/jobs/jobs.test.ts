import { once } from 'node:events'
import { EventEmitter } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../../test/support/api-world.ts'
import { makeUser } from '../../test/support/feed-world.ts'
import { KeepingMailer, runJobs } from '../../test/support/mail.ts'
import { query } from '../database/sql.ts'
import type { JobHandlers } from './job-handlers.ts'
import { ensureJobSchema } from '../queue/job-queue.ts'
import { JobRunner } from './job-runner.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await openApiWorld()
})
afterAll(() => world.end())
beforeEach(() => query(world.knex, 'delete from pgboss.job'))

const names = async () =>
  (
    await query<{ name: string }>(world.knex, 'select name from pgboss.job order by created_on')
  ).map(({ name }) => name)

const AT = '2030-06-15T12:00:00.000Z'
const JOB = { kind: 'address-in-use', userId: '1' } as const

describe('a job', () => {
  test('exists when its transaction is committed, and not before', async () => {
    await world.knex.transaction(async (trx) => {
      await world.services.jobs.enqueue(trx, 'mail', JOB)
      expect(await names()).toEqual([])
    })
    expect(await names()).toEqual(['mail'])
  })

  test('is rolled back with its transaction', async () => {
    await world.knex
      .transaction(async (trx) => {
        await world.services.jobs.enqueue(trx, 'mail', JOB)
        throw new Error('changed its mind')
      })
      .catch(() => undefined)
    expect(await names()).toEqual([])
  })

  test('keeps its data unchanged', async () => {
    const email = `quoted ' ? $1 \\ "x"@example.net`
    await world.knex.transaction((trx) =>
      world.services.jobs.enqueue(trx, 'resend-verification', { email }),
    )
    const rows = await query(world.knex, 'select data from pgboss.job')
    expect(rows).toEqual([{ data: { email } }])
  })
})

describe('the runner', () => {
  let runner: JobRunner
  const heard = new EventEmitter()
  let failures = 0

  const handlers: JobHandlers = {
    registration: async () => undefined,
    'resend-verification': async () => undefined,
    'forgot-password': async () => undefined,
    'change-email': async () => undefined,
    'account-plan': async () => undefined,
    'name-lock': async () => undefined,
    'blocked-target': async () => undefined,
    'forward-addresses': async () => undefined,
    plan: async () => undefined,
    async mail(job) {
      if (failures > 0) {
        failures -= 1
        throw new Error('not now')
      }
      heard.emit('mail', job)
    },
  }

  beforeAll(async () => {
    runner = new JobRunner({ url: world.feed.url, onError: (error) => heard.emit('error', error) })
    await runner.start()
    await runner.handleAll(handlers, (name, error) => heard.emit('run', name, error))
  })
  afterAll(() => runner.stop(1_000))

  const enqueue = () =>
    world.knex.transaction((trx) => world.services.jobs.enqueue(trx, 'mail', JOB))

  test('is notified of a job and runs it', async () => {
    const ran = once(heard, 'mail')
    await enqueue()
    expect(await ran).toEqual([JOB])
  })

  test('retries a failed job', async () => {
    failures = 1
    const runs: unknown[] = []
    const note = (_name: string, error?: Error) => runs.push(error?.message)
    heard.on('run', note)
    const ran = once(heard, 'mail')
    await enqueue()
    await ran
    heard.off('run', note)
    expect(runs[0]).toBe('not now')
  })
})

test('the tables of jobs are created once, also by concurrent and repeated calls', async () => {
  await ensureJobSchema(world.feed.url)
  await ensureJobSchema(world.feed.url)
  const queues = await query<{ name: string }>(
    world.knex,
    `select name from pgboss.queue where name not like '\\_\\_%' order by name`,
  )
  expect(queues.map(({ name }) => name)).toEqual([
    'account-plan',
    'blocked-target',
    'change-email',
    'forgot-password',
    'forward-addresses',
    'mail',
    'name-lock',
    'plan',
    'registration',
    'resend-verification',
  ])
})

test('mail for a deleted account is not sent, and does not fail', async () => {
  const mailer = new KeepingMailer()
  const { jobs } = world.services
  await world.knex.transaction(async (trx) => {
    await jobs.enqueue(trx, 'registration', { userId: '999999', mayNotify: true })
    await jobs.enqueue(trx, 'mail', { kind: 'address-in-use', userId: '999999' })
    await jobs.enqueue(trx, 'mail', { kind: 'verify-email', linkId: '999999', seed: 'x' })
    await jobs.enqueue(trx, 'mail', { kind: 'reset-password', linkId: '999999', seed: 'x' })
    await jobs.enqueue(trx, 'mail', { kind: 'password-changed', userId: '999999', at: AT })
    await jobs.enqueue(trx, 'change-email', {
      userId: '999999',
      credentialVersion: 1,
      email: 'x@y.test',
      mayNotify: true,
    })
    await jobs.enqueue(trx, 'forgot-password', { email: 'gone@example.net' })
    await jobs.enqueue(trx, 'account-plan', { userId: '999999' })
  })
  expect(await runJobs(world.services, mailer)).toHaveLength(8)
  expect(mailer.sent).toEqual([])
})

test('a notice is not sent more often than its limit', async () => {
  const mailer = new KeepingMailer()
  const owner = await makeUser(world.knex, 'owner')
  await query(world.knex, 'update users set email_verified_at = now() where id = ?', [owner])
  const [claim] = await query<{ id: string }>(
    world.knex,
    `insert into users (username, email, password_hash) values ('claim', 'OWNER@mail.test', '') returning id`,
  )
  for (const mayNotify of [false, true]) {
    await world.knex.transaction((trx) =>
      world.services.jobs.enqueue(trx, 'registration', { userId: claim?.id ?? '', mayNotify }),
    )
    await runJobs(world.services, mailer)
  }
  expect(mailer.sent.map(({ to }) => to)).toEqual(['owner@mail.test'])
})
