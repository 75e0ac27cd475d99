import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { describeSchema, manifestDrift } from '../../scripts/describe-schema.ts'
import { connect, migrate } from '../../src/database/connect.ts'
import { keepPartitions } from '../../src/feed/partitions.ts'
import { query } from '../../src/database/sql.ts'

let url: string
let name: string

const onMaintenance = async (sql: string) => {
  const maintenance = new URL(inject('templateUrl'))
  maintenance.pathname = '/postgres'
  const knex = connect({ url: maintenance.href, applicationName: 'migrate-test' })
  try {
    await query(knex, sql)
  } finally {
    await knex.destroy()
  }
}

beforeEach(async () => {
  name = `empty_${randomBytes(6).toString('hex')}`
  await onMaintenance(`create database ${name}`)
  const own = new URL(inject('templateUrl'))
  own.pathname = `/${name}`
  url = own.href
})
afterEach(() => onMaintenance(`drop database ${name} with (force)`))

test('five concurrent migrations of an empty database: each step runs once, all succeed', async () => {
  await Promise.all(Array.from({ length: 5 }, () => migrate(url)))
  const knex = connect({ url, applicationName: 'migrate-test' })
  try {
    const steps = await query<{ name: string }>(knex, 'select name from schema_migrations')
    expect(steps.length).toBeGreaterThan(3)
    expect(new Set(steps.map((step) => step.name)).size).toBe(steps.length)
    await migrate(url)
    expect(await query(knex, 'select from schema_migrations')).toHaveLength(steps.length)
  } finally {
    await knex.destroy()
  }
})

test('a killed migration is finished by the next one', async () => {
  const knex = connect({ url, applicationName: 'migrate-test' })
  try {
    await knex.migrate.up()
    // The row with which knex marks a running migration. After a kill it is never removed.
    await query(knex, 'update schema_migrations_lock set is_locked = 1')
    await migrate(url)
    expect((await query(knex, 'select from schema_migrations')).length).toBeGreaterThan(3)
  } finally {
    await knex.destroy()
  }
})

test('down and up again leads to the same schema', async () => {
  await migrate(url)
  const knex = connect({ url, applicationName: 'migrate-test' })
  try {
    const before = await describeSchema(knex)
    await knex.migrate.rollback(undefined, true)
    expect(await describeSchema(knex)).not.toContain('zone_serials')
    await knex.migrate.latest()
    expect(manifestDrift(before, await describeSchema(knex))).toEqual([])
  } finally {
    await knex.destroy()
  }
})

describe('the manifest', () => {
  const committed = readFileSync(new URL('../../schema.manifest.txt', import.meta.url), 'utf8')

  test('equals the result of the migrations, with any partitions', async () => {
    await migrate(url)
    const knex = connect({ url, applicationName: 'migrate-test' })
    try {
      await keepPartitions(knex, { retentionMs: 60_000 })
      expect(manifestDrift(committed, await describeSchema(knex))).toEqual([])
    } finally {
      await knex.destroy()
    }
  })

  test('shows the differences', async () => {
    await migrate(url)
    const knex = connect({ url, applicationName: 'migrate-test' })
    try {
      await query(
        knex,
        `alter table zones drop column offered; create index stray on users (email);
         grant select on users to homing_dnsd`,
      )
      expect(manifestDrift(committed, await describeSchema(knex))).toEqual([
        '- zones.offered boolean not null default true',
        '+ CREATE INDEX stray ON public.users USING btree (email)',
        '+ users SELECT to homing_dnsd',
      ])
    } finally {
      await knex.destroy()
    }
  })
})
