/** `npm run migrate` as a deployment runs it: on another's PostgreSQL, again and again, and from several places at once. */
import { execFile } from 'node:child_process'
import type { Knex } from 'knex'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { connect } from '../src/database/connect.ts'
import { argon2Hasher } from '../src/credentials/password-hasher.ts'
import { ROOT } from '../src/config/variables.ts'
import { query } from '../src/database/sql.ts'
import { insertDomain, makeUser } from '../test/support/feed-world.ts'

let database: TestDatabase
let knex: Knex
let dataDir = ''

beforeEach(async () => {
  database = await createTestDatabase()
  knex = connect({ url: database.url, applicationName: 'migrate-script-test' })
  dataDir = mkdtempSync(join(tmpdir(), 'homing-migrate-'))
})
afterEach(async () => {
  await knex.destroy()
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function migrate(environment: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    ZONES: 'dyn.example.net',
    NAMESERVERS: 'ns1.dyn.example.net/192.0.2.53',
    FORWARD_ADDRESSES: '192.0.2.80',
    ...environment,
  }
  const script = join(import.meta.dirname, 'migrate.ts')
  const run = promisify(execFile)(process.execPath, [script], { env })
  return run.then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }: Ran) => ({ code, stdout, stderr }),
  )
}

const PASSWORD = 'nine wild geese at dusk'
const PRODUCTION = { NODE_ENV: 'production' }
const UNCHANGED = 'schema: up to date\nadministrator: exists\nzone dyn.example.net: unchanged\n'

async function expectAdministrator(password: string): Promise<void> {
  const found = await query<{ password_hash: string }>(
    knex,
    `select password_hash from users where account_type = 'admin'`,
  )
  expect(found).toHaveLength(1)
  expect(await argon2Hasher.verify(found[0]?.password_hash ?? '', password)).toBe(true)
}

describe('in development', () => {
  test('three at once make one administrator, whose password is in the file and not in the output', async () => {
    const runs = await Promise.all(Array.from({ length: 3 }, () => migrate()))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
    const password = readFileSync(join(dataDir, 'admin-password'), 'utf8').trim()
    await expectAdministrator(password)
    const output = runs.map(({ stdout, stderr }) => stdout + stderr).join('')
    expect(output).not.toContain(password)
    expect(output.match(/administrator: created admin; the password is in /g)).toHaveLength(1)
    expect(output.match(/zone dyn\.example\.net: created/g)).toHaveLength(1)
    expect(await migrate()).toEqual({ code: 0, stdout: UNCHANGED, stderr: '' })
  })
})

describe('in production', () => {
  test('ADMIN_PASSWORD is required while there is no administrator; nothing secret is printed or kept', async () => {
    const refused = await migrate(PRODUCTION)
    expect(refused).toMatchObject({ code: 78, stdout: '' })
    expect(refused.stderr).toMatch(/^ADMIN_PASSWORD is not set; it takes [^\n]*\n$/)
    expect(await query(knex, 'select from zones')).toEqual([])

    expect(await migrate({ ...PRODUCTION, ADMIN_PASSWORD: PASSWORD })).toEqual({
      code: 0,
      stdout:
        'schema: up to date\nadministrator: created admin; the password is in ADMIN_PASSWORD\nzone dyn.example.net: created\n',
      stderr: '',
    })
    await expectAdministrator(PASSWORD)
    expect(existsSync(join(dataDir, 'admin-password'))).toBe(false)

    // Deployments after the first need no password.
    expect(await migrate(PRODUCTION)).toEqual({ code: 0, stdout: UNCHANGED, stderr: '' })
    await expectAdministrator(PASSWORD)
  })
})

test("a name server that is a user's domain is refused in one line", async () => {
  await migrate()
  const userId = await makeUser(knex, 'ada')
  await insertDomain(knex, { userId, fqdn: 'mine.dyn.example.net', zone: 'dyn.example.net' })
  expect(await migrate({ NAMESERVERS: 'mine.dyn.example.net/192.0.2.53' })).toEqual({
    code: 78,
    stdout: '',
    stderr:
      "NAMESERVERS: mine.dyn.example.net is a user's domain; choose another host name, or delete the domain\n",
  })
})
