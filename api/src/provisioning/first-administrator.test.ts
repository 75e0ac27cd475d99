import type { Knex } from 'knex'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { makeUser } from '../../test/support/feed-world.ts'
import { connect } from '../database/connect.ts'
import { query } from '../database/sql.ts'
import { type AdministratorOptions, provideAdministrator } from './first-administrator.ts'

let database: TestDatabase
let knex: Knex
let folder = ''

beforeAll(async () => {
  database = await createTestDatabase()
  knex = connect({ url: database.url, applicationName: 'first-administrator-test' })
})
afterAll(async () => {
  await knex.destroy()
  await database.drop()
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homing-admin-'))
  await query(knex, 'delete from users')
})
afterEach(() => rmSync(folder, { recursive: true }))

const passwordFile = () => join(folder, 'data', 'admin-password')
const keptPassword = () => readFileSync(passwordFile(), 'utf8').trim()
const admin = (password?: string) => ({
  username: 'admin',
  email: 'admin@homing.test',
  ...(password === undefined ? {} : { password }),
})
const provide = (options: Partial<AdministratorOptions> = {}) =>
  provideAdministrator(knex, {
    admin: admin(),
    allowsRandomPassword: true,
    passwordFile: passwordFile(),
    ...options,
  })
const EXISTS = { username: 'admin', outcome: 'exists' }

test('a random password is returned once, by the run that creates it, and stored in the file', async () => {
  const first = await provide()
  expect(first).toMatchObject({ outcome: 'created', newPassword: keptPassword() })
  expect(statSync(passwordFile()).mode & 0o777).toBe(0o600)
  expect(await provide()).toEqual(EXISTS)
  expect(keptPassword()).toBe(first.newPassword)
})

test('a chosen password is stored in the file and never returned', async () => {
  const first = await provide({ admin: admin('correct horse') })
  expect(first).toEqual({ username: 'admin', outcome: 'created' })
  expect(keptPassword()).toBe('correct horse')
})

test('a start that died before the account was created continues with the stored password', async () => {
  await provide()
  await query(knex, 'delete from users')
  writeFileSync(passwordFile(), 'written before\n')
  expect((await provide()).newPassword).toBe('written before')
})

test('if an administrator exists, no password file is written', async () => {
  await provide()
  rmSync(passwordFile())
  expect(await provide({ admin: admin('another one') })).toEqual(EXISTS)
  expect(existsSync(passwordFile())).toBe(false)
})

describe('in production', () => {
  const production = { allowsRandomPassword: false, passwordFile: undefined }

  test('the password is required until an administrator exists', async () => {
    await expect(provide(production)).rejects.toThrow(
      /^ADMIN_PASSWORD is not set; it takes the password of the first administrator: /,
    )
    expect(await query(knex, 'select from users')).toEqual([])
    expect(await provide({ ...production, admin: admin('correct horse') })).toEqual({
      username: 'admin',
      outcome: 'created',
    })
    expect(await provide(production)).toEqual(EXISTS)
    expect(existsSync(passwordFile())).toBe(false)
  })

  test('a random password that development left in the file is not used', async () => {
    await provide()
    await query(knex, 'delete from users')
    await expect(provide({ ...production, passwordFile: passwordFile() })).rejects.toThrow(
      'ADMIN_PASSWORD is not set',
    )
  })
})

test('a user name of another account is refused with the variable, and leaves no file', async () => {
  await makeUser(knex, 'Admin', 'free')
  await expect(provide()).rejects.toThrow(
    'ADMIN_USERNAME: another account already uses admin; choose another value',
  )
  expect(existsSync(passwordFile())).toBe(false)
})
