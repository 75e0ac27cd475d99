import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { connect } from './connect.ts'
import { poolLoad } from './pool-load.ts'
import { query } from './sql.ts'

let database: TestDatabase
let knex: Knex

beforeAll(async () => {
  database = await createTestDatabase()
  knex = connect({ url: database.url, applicationName: 'light-test', maxConnections: 1 })
  await query(knex, 'create table kept (n int unique deferrable initially deferred)')
})
beforeEach(() => query(knex, 'delete from kept'))
afterAll(async () => {
  await knex.destroy()
  await database.drop()
})

const kept = async () =>
  (await query<{ n: number }>(knex, 'select n from kept order by n')).map(({ n }) => n)
const keep = (db: Knex, n: number) => query(db, 'insert into kept values (?)', [n])
const thrownBy = (work: Promise<unknown>) => work.then(() => 'nothing', String)

describe('a transaction', () => {
  test('commits its work and resolves with its value', async () => {
    const value = await knex.transaction(async (trx) => {
      await keep(trx, 1)
      return 'value'
    })
    expect([value, await kept()]).toEqual(['value', [1]])
  })

  test.each([
    ['rejects', async () => Promise.reject(new Error('no'))],
    [
      'throws at once',
      () => {
        throw new Error('no')
      },
    ],
  ])('is rolled back when its work %s', async (_how, end) => {
    const work = knex.transaction(async (trx) => {
      await keep(trx, 1)
      return end()
    })
    expect(await thrownBy(work)).toBe('Error: no')
    expect(await thrownBy(knex.transaction(end))).toBe('Error: no')
    expect(await kept()).toEqual([])
  })

  test('is rejected when the commit fails', async () => {
    const work = knex.transaction(async (trx) => {
      await keep(trx, 1)
      await keep(trx, 1)
    })
    expect(await thrownBy(work)).toContain('kept_n_key')
    expect(await kept()).toEqual([])
  })

  test('accepts no statement after its end', async () => {
    const trx = await knex.transaction(async (ended) => ended)
    expect(trx.isCompleted()).toBe(true)
    expect(await thrownBy(keep(trx, 1))).toContain('Transaction query already complete')
    expect(await kept()).toEqual([])
  })

  test('without work of its own ends as its caller says', async () => {
    const first = await knex.transaction()
    await keep(first, 1)
    await first.rollback()
    const second = await knex.transaction()
    await keep(second, 2)
    await second.commit()
    await second.executionPromise
    expect(await kept()).toEqual([2])
  })

  test('that loses its connection rejects, and the next one has a new connection', async () => {
    const work = knex.transaction(async (trx) => {
      await keep(trx, 1)
      await query(trx, 'select pg_terminate_backend(pg_backend_pid())')
    })
    expect(await thrownBy(work)).toMatch(/Connection terminated/)
    await knex.transaction((trx) => keep(trx, 2))
    expect(await kept()).toEqual([2])
  })

  test('that cannot begin does not start its work', async () => {
    let isStarted = false
    const connection: unknown = await knex.client.acquireConnection()
    await (connection as { end: () => Promise<void> }).end()
    const work = knex.transaction(
      async () => {
        isStarted = true
      },
      { connection },
    )
    expect(await thrownBy(work)).toContain('closed')
    await knex.client.releaseConnection(connection)
    expect(isStarted).toBe(false)
  })

  test('gives its connection back', async () => {
    await knex.transaction((trx) => keep(trx, 1))
    await knex.transaction((trx) => query(trx, 'select 1 / 0')).catch(() => undefined)
    expect(poolLoad(knex)).toMatchObject({ used: 0, free: 1 })
  })

  test('builds queries, and has nested transactions', async () => {
    await knex.transaction(async (trx) => {
      await trx('kept').insert({ n: 1 })
      await trx.insert({ n: 2 }).into('kept')
      const nested = trx.transaction(async (inner) => {
        await keep(inner, 3)
        throw new Error('no')
      })
      expect(await thrownBy(nested)).toBe('Error: no')
      await trx.savepoint((inner) => keep(inner, 4))
      expect(await trx('kept').pluck('n').orderBy('n')).toEqual([1, 2, 4])
    })
    expect(await kept()).toEqual([1, 2, 4])
  })

  test('tells the pool of its statements', async () => {
    const told: string[] = []
    const note = ({ sql }: { sql: string }) => told.push(sql)
    knex.on('query', note)
    await knex.transaction((trx) => query(trx, 'select 1'))
    knex.client.removeListener('query', note)
    knex.removeListener('query', note)
    expect(told).toEqual(['BEGIN;', 'select 1', 'COMMIT;'])
  })

  test('shares its methods with the others: functions of its own would survive scavenges', async () => {
    const own = await knex.transaction(async (trx) =>
      [trx, Reflect.get(trx, 'context') as object, trx.client as object].flatMap((part) =>
        Object.values(part).filter((value) => typeof value === 'function'),
      ),
    )
    expect(own).toEqual([])
  })
})
