import type { Knex } from 'knex'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { connect } from '../database/connect.ts'
import { ensureFeedLogins } from './login-roles.ts'
import { startEmbeddedPostgres } from './postgres.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'homing-logins-'))
let database: TestDatabase
let knex: Knex

beforeAll(async () => {
  database = await createTestDatabase()
  knex = connect({ url: database.url, applicationName: 'login-roles-test' })
})
afterAll(async () => {
  await knex.destroy()
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

async function asLogin(url: string, sql: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

test('each login can read only its views, also at the second start', async () => {
  await ensureFeedLogins(knex, database.url, dataDir)
  const logins = await ensureFeedLogins(knex, database.url, dataDir)
  await asLogin(logins.dnsdDatabaseUrl, 'select * from dns_zone limit 1')
  await asLogin(logins.forwarderDatabaseUrl, 'select * from forward_feed')
  for (const url of [logins.dnsdDatabaseUrl, logins.forwarderDatabaseUrl]) {
    await expect(asLogin(url, 'select * from users')).rejects.toThrow('permission denied')
    await expect(asLogin(url, 'delete from zone_changes')).rejects.toThrow('permission denied')
  }
  await expect(asLogin(logins.forwarderDatabaseUrl, 'select * from dns_record')).rejects.toThrow(
    'permission denied',
  )
})

test('passwords are readable only by their owner; a lost one is replaced', async () => {
  const file = join(dataDir, 'dnsd-database-password')
  const before = await ensureFeedLogins(knex, database.url, dataDir)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  rmSync(file)
  const after = await ensureFeedLogins(knex, database.url, dataDir)
  await asLogin(after.dnsdDatabaseUrl, 'select 1')
  await expect(asLogin(before.dnsdDatabaseUrl, 'select 1')).rejects.toThrow('password')
})

test('a server that logs every statement sees no password', async () => {
  const folder = join(dataDir, 'logging')
  mkdirSync(folder)
  const lines: string[] = []
  const postgres = await startEmbeddedPostgres({
    clusterDir: join(folder, 'postgres'),
    durable: false,
    settings: { log_statement: 'all' },
    onLog: (line) => lines.push(line),
  })
  const owner = connect({ url: postgres.url, applicationName: 'login-roles-test' })
  try {
    await owner.raw('create role homing_dnsd')
    await owner.raw('create role homing_forwarder')
    await ensureFeedLogins(owner, postgres.url, folder)
    const logins = await ensureFeedLogins(owner, postgres.url, folder)
    await asLogin(logins.dnsdDatabaseUrl, 'select 1')
    await asLogin(logins.forwarderDatabaseUrl, 'select 1')
    await owner.destroy()
    await postgres.stop()
    const log = lines.join('\n')
    expect(log).toContain(`create role "homing_dnsd_login" login password 'SCRAM-SHA-256$`)
    expect(log).toContain(`alter role "homing_forwarder_login" login password 'SCRAM-SHA-256$`)
    for (const url of [logins.dnsdDatabaseUrl, logins.forwarderDatabaseUrl]) {
      expect(log).not.toContain(new URL(url).password)
    }
  } finally {
    await owner.destroy()
    await postgres.stop()
  }
})
