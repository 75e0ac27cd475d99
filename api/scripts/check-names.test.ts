/** `npm run names:check` as an operator runs it. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  openFeedWorld,
} from '../test/support/feed-world.ts'

let world: FeedWorld
let folder: string

beforeAll(async () => {
  world = await openFeedWorld()
  folder = mkdtempSync(join(tmpdir(), 'homing-names-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.end()
})

function run(...args: string[]) {
  const path = fileURLToPath(new URL('check-names.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      SECRET_KEY: 'k'.repeat(32),
      DATABASE_URL: world.url,
    },
  })
  return { status, stdout, stderr }
}

test('names that were there before their words were protected are told', async () => {
  const userId = await makeUser(world.knex, 'ada')
  for (const label of ['home', 'paypa1-login', 'apple-pie', 'ebay-cars']) {
    const fqdn = `${label}.homing.test`
    const { id } = await insertDomain(world.knex, { userId, fqdn, ipv4: '192.0.2.1' })
    await insertDomain(world.knex, { userId, fqdn: `*.${fqdn}`, ipv4: '192.0.2.1', baseId: id })
  }
  expect(run()).toEqual({
    status: 0,
    stdout: 'paypa1-login.homing.test contained\nebay-cars.homing.test part\n',
    stderr: '2 of 4 names (50.000 %): reserved 0, contained 1, part 1, joined 0, alone 0\n',
  })
})

test('the names of a file', () => {
  const file = join(folder, 'names.txt')
  writeFileSync(file, 'home\nChase\nno name\n\nmail\nапплe\nchase-login.x\n')
  expect(run(file)).toEqual({
    status: 0,
    stdout:
      'chase.homing.test alone\nmail.homing.test reserved\nchase-login.x.homing.test joined\n',
    stderr: '3 of 5 names (60.000 %): reserved 1, contained 0, part 0, joined 1, alone 1\n',
  })
  expect(run(join(folder, 'none.txt'))).toMatchObject({ status: 1, stdout: '' })
  expect(run(file, file)).toMatchObject({ status: 64, stderr: expect.stringMatching(/^usage: /) })
})
