/** An account that is deleted during a sign-in counts as one that does not exist. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld, PASSWORD } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { findLoginToken, makeLoginToken } from '../../credentials/login-token.ts'
import { query } from '../../database/sql.ts'

let world: ApiWorld

beforeAll(async () => {
  const passwords = {
    hash: async (password: string) => password,
    async verify(_hash: string, password: string) {
      await query(world.knex, `delete from users where username = 'leaving'`)
      return password === PASSWORD
    },
  }
  world = await openApiWorld({}, { passwords })
})
afterAll(() => world.end())

test('a right password of an account that is deleted during its evaluation', async () => {
  await world.person('leaving')
  const reply = await call(world.app, 'POST', '/api/login', {
    body: { username_or_email: 'leaving', password: PASSWORD },
  })
  expect(problemOf(reply)).toMatchObject({ status: 401, code: 'wrong-credentials' })
})

test('an account that is deleted before its second step: the token has expired', async () => {
  const userId = '999999999'
  const { token } = await makeLoginToken(world.services, { userId, credentialVersion: 1 })
  await expect(findLoginToken(world.services, token)).rejects.toMatchObject({
    code: 'sign-in-expired',
  })
})
