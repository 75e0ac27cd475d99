/** `npm run names:check` as an operator runs it. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { insertDomain, makeUser } from '../test/support/feed-world.ts'
import { useOperator } from '../test/support/operator.ts'

const t = useOperator()
const run = (...args: string[]) => t.run('check-names', args)

test('names that were registered before their words were protected are reported', async () => {
  const userId = await makeUser(t.world.knex, 'ada')
  for (const label of ['home', 'paypa1-login', 'apple-pie', 'ebay-cars']) {
    const fqdn = `${label}.homing.test`
    const { id } = await insertDomain(t.world.knex, { userId, fqdn, ipv4: '192.0.2.1' })
    await insertDomain(t.world.knex, { userId, fqdn: `*.${fqdn}`, ipv4: '192.0.2.1', baseId: id })
  }
  expect(run()).toEqual({
    status: 0,
    stdout: 'paypa1-login.homing.test contained\nebay-cars.homing.test part\n',
    stderr: '2 of 4 names (50.000 %): reserved 0, contained 1, part 1, joined 0, alone 0\n',
  })
})

test('the names of a file', () => {
  const file = t.fileOf('names.txt', 'home\nChase\nno name\n\nmail\nапплe\nchase-login.x\n')
  expect(run(file)).toEqual({
    status: 0,
    stdout:
      'chase.homing.test alone\nmail.homing.test reserved\nchase-login.x.homing.test joined\n',
    stderr: '3 of 5 names (60.000 %): reserved 1, contained 0, part 0, joined 1, alone 1\n',
  })
  expect(run(join(t.folder, 'none.txt'))).toMatchObject({ status: 1, stdout: '' })
  expect(run(file, file)).toMatchObject({ status: 64, stderr: expect.stringMatching(/^usage: /) })
})
