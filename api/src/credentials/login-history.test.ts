import type { Knex } from 'knex'
import { expect, test } from 'vitest'
import { LoginHistory } from './login-history.ts'

/** A database that is unavailable. */
function absent(): { readonly knex: Knex; readonly asked: unknown[][] } {
  const asked: unknown[][] = []
  const knex = {
    raw(_sql: string, bindings: unknown[]) {
      asked.push(bindings)
      return Promise.reject(new Error('away'))
    },
  }
  return { knex: knex as unknown as Knex, asked }
}

const attempt = { userId: '7', at: new Date(0), ip: '192.0.2.1', method: 'password' } as const

test('failed attempts that cannot be written are reported once, and no caller fails', async () => {
  const { knex, asked } = absent()
  const errors: unknown[] = []
  const history = new LoginHistory({
    knex,
    countryOf: async () => null,
    onError: (error) => errors.push(error),
  })
  history.noteFailure(attempt)
  history.noteFailure(attempt)
  await history.flush()
  expect(errors).toHaveLength(1)
  expect(asked[0]?.[0]).toEqual(['7', '7'])
  await history.stop()
  expect(asked).toHaveLength(1)
})

test('at most ten thousand entries wait', async () => {
  const { knex, asked } = absent()
  const history = new LoginHistory({
    knex,
    countryOf: async () => null,
    onError: () => undefined,
  })
  for (let n = 0; n < 10_001; n += 1) history.noteFailure(attempt)
  await history.flush()
  expect(asked[0]?.[0]).toHaveLength(10_000)
})
