import knexModule from 'knex'
import { expect, test } from 'vitest'
import { Domain } from './domain.ts'
import { textOf } from './prepared.ts'

/** It compiles queries and has no connection. */
const knex = knexModule.default({ client: 'pg' })

const byNameAndOwner = (fqdn: string, userId: string) => () =>
  Domain.query(knex).select('id').where('fqdn', fqdn).modify('ownedBy', userId)

test('a query is compiled once', () => {
  const build = byNameAndOwner('a.test', '1')
  const text = textOf({ name: 'once', build, values: ['a.test', '1'] })
  expect(text).toBe('select "id" from "domains" where "fqdn" = ? and "domains"."user_id" = ?')
  const again = () => {
    throw new Error('it was built again')
  }
  expect(textOf({ name: 'once', build: again, values: ['b.test', '2'] })).toBe(text)
})

test.each([[['1', 'a.test']], [['a.test']], [['a.test', '1', 'x']]])(
  'a query with other values than %j is refused',
  (values) => {
    const build = byNameAndOwner('a.test', '1')
    expect(() => textOf({ name: `wrong ${values.length}`, build, values })).toThrow(
      /values of the query/,
    )
  },
)
