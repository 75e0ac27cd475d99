import type { Knex } from 'knex'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { supervisorLoader } from '../config/supervisor.ts'
import { connect } from '../database.ts'
import { query } from '../sql.ts'
import { provideAdministrator } from './first-administrator.ts'

let database: TestDatabase
let knex: Knex
let dataDir = ''

beforeAll(async () => {
  database = await createTestDatabase()
  knex = connect({ url: database.url, applicationName: 'first-administrator-test' })
})
afterAll(async () => {
  await knex.destroy()
  await database.drop()
})
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'homing-admin-'))
  await query(knex, 'delete from users')
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const provide = (environment: Record<string, string> = {}) =>
  provideAdministrator(knex, supervisorLoader.load({ DATA_DIR: dataDir, ...environment }))
const passwordFile = () => join(dataDir, 'admin-password')
const keptPassword = () => readFileSync(passwordFile(), 'utf8').trim()

test('a random password is told at the first start, kept, and not told again', async () => {
  const first = await provide()
  expect(first.newPassword).toBe(keptPassword())
  expect(statSync(passwordFile()).mode & 0o777).toBe(0o600)
  expect(await provide()).toEqual({ username: 'admin', passwordFile: passwordFile() })
  expect(keptPassword()).toBe(first.newPassword)
})

test('a chosen password is kept and never told', async () => {
  const first = await provide({ ADMIN_PASSWORD: 'correct horse' })
  expect(first.newPassword).toBeUndefined()
  expect(keptPassword()).toBe('correct horse')
})

test('a start that died before the account was made goes on with the password it wrote', async () => {
  writeFileSync(passwordFile(), 'written before\n')
  expect((await provide()).newPassword).toBe('written before')
})

test('where an administrator exists, no file claims a password', async () => {
  await provide()
  rmSync(passwordFile())
  expect((await provide({ ADMIN_PASSWORD: 'another one' })).newPassword).toBeUndefined()
  expect(existsSync(passwordFile())).toBe(false)
})
