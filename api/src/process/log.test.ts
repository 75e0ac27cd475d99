import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../test/support/feed-world.ts'

let world: FeedWorld
beforeAll(async () => {
  world = await openFeedWorld()
})
afterAll(() => world.end())

/**
 * Runs a failing statement with one value and logs the error, in a separate process whose stderr is the log.
 *
 * @param error the logged value, as an expression of `failure`
 */
function logFailure(sql: string, value: string, error = 'failure'): string {
  const program = `
    import { connect } from '../database/connect.ts'
    import { createLog } from './log.ts'
    const knex = connect({ url: process.env.URL, applicationName: 'log-test' })
    const failure = await knex.raw(process.env.SQL, [process.env.VALUE]).catch((error) => error)
    createLog({ logLevel: 'info', logFormat: 'json' }, 'api').error({ err: ${error} }, 'it failed')
    await knex.destroy()`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    env: { URL: world.url, SQL: sql, VALUE: value },
    encoding: 'utf8',
  })
  return stderr
}

test('combined errors do not quote rows either', async () => {
  await makeUser(world.knex, 'grace')
  const logged = logFailure(
    `update users set email = null, given_name = ? where username = 'grace'`,
    'Amazing',
    'new AggregateError([failure], "some failed")',
  )
  expect(JSON.parse(logged)).toMatchObject({
    err: { message: 'some failed', aggregateErrors: [{ code: '23502' }] },
  })
  expect(logged).not.toContain('Amazing')
})

test('a failed statement is logged without its values', async () => {
  await makeUser(world.knex, 'ada')
  const logged = logFailure(
    `update users set email = null, given_name = ? where username = 'ada'`,
    'Countess Lovelace',
  )
  expect(JSON.parse(logged)).toMatchObject({
    msg: 'it failed',
    err: { code: '23502', message: expect.stringContaining('set email = null, given_name = ') },
  })
  expect(logged).not.toContain('Lovelace')
  expect(logged).not.toContain('argon2')
})
