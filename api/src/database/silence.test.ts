import type { Knex } from 'knex'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { openSilentProxy, type SilentProxy } from '../../test/support/silent-proxy.ts'
import { isDatabaseAway, untilDatabaseAnswers } from './silence.ts'
import { connect } from './connect.ts'
import { query } from './sql.ts'

/** Silence is noticed after little more than a second. */
const LIMITS = { lockMs: 300, statementMs: 300, idleInTransactionMs: 300 }

let database: TestDatabase
let proxy: SilentProxy
let knex: Knex

beforeEach(async () => {
  database = await createTestDatabase()
  proxy = await openSilentProxy(database.url)
  const pool = { limits: LIMITS, maxConnections: 1, applicationName: 'silence-test' }
  // Created without these limits, because a busy machine could not create a table within them.
  const setup = connect({ url: database.url, applicationName: 'silence-test' })
  await query(setup, 'create table kept (n int)')
  await setup.destroy()
  knex = connect({ url: proxy.url, ...pool })
  await query(knex, 'select 1')
})
afterEach(async () => {
  await knex.destroy()
  proxy.close()
  await database.drop()
})

describe('a server that falls silent', () => {
  test('a query ends with an error, and the next one succeeds on a new connection', async () => {
    proxy.silence()
    const error = await query(knex, 'select 1').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ETIMEDOUT' })
    expect(isDatabaseAway(error)).toBe(true)
    proxy.speak()
    expect(await query(knex, 'select 2 as n')).toEqual([{ n: 2 }])
    expect(proxy.opened()).toBe(2)
  })

  test('a transaction ends with an error and leaves nothing behind', async () => {
    const stored = knex.transaction(async (trx) => {
      await query(trx, 'insert into kept values (1)')
      proxy.silence()
      await query(trx, 'insert into kept values (2)')
    })
    expect(await stored.catch(isDatabaseAway)).toBe(true)
    proxy.speak()
    expect(await query(knex, 'select n from kept')).toEqual([])
  })
})

test('an unused connection may be silent for any time', async () => {
  await query(knex, 'select 1')
  await new Promise((resolve) => setTimeout(resolve, 1_600))
  await query(knex, 'select 1')
  expect(proxy.opened()).toBe(1)
})

test('an error from PostgreSQL does not count as silence', async () => {
  const errors: unknown[] = []
  for (const sql of [
    'select 1 / 0',
    'select pg_sleep(1)',
    'select pg_terminate_backend(pg_backend_pid())',
  ]) {
    errors.push(await query(knex, sql).catch((error: unknown) => error))
  }
  expect(errors.map(isDatabaseAway)).toEqual([false, false, true])
})

describe('waiting for a database', () => {
  const nowhere = 'postgresql://x@127.0.0.1:1/x'

  test('resolves at once if it is reachable', async () => {
    const told: unknown[] = []
    await untilDatabaseAnswers(knex, new AbortController().signal, (error) => told.push(error))
    expect(told).toEqual([])
  })

  test('reports an unreachable database once, until the caller gives up', async () => {
    const away = connect({ url: nowhere, limits: LIMITS, applicationName: 'silence-test' })
    const giveUp = new AbortController()
    const told: unknown[] = []
    const waiting = untilDatabaseAnswers(away, giveUp.signal, (error) => told.push(error))
    await expect.poll(() => told.length).toBeGreaterThan(0)
    giveUp.abort()
    await waiting
    expect(told).toMatchObject([{ code: 'ECONNREFUSED' }])
    await away.destroy()
  })

  test('rejects at once if it refuses', async () => {
    const url = new URL(database.url)
    url.password = 'wrong'
    const refused = connect({ url: url.href, limits: LIMITS, applicationName: 'silence-test' })
    const waiting = untilDatabaseAnswers(refused, new AbortController().signal, () => undefined)
    await expect(waiting).rejects.toMatchObject({ code: '28P01' })
    await refused.destroy()
  })
})
