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

test('present domains get the client of their last update from the history', async () => {
  await migrate(url)
  const knex = connect({ url, applicationName: 'migrate-test' })
  const step = { name: '0040-last-update-clients.ts' }
  try {
    await knex.migrate.down(step)
    await query(
      knex,
      `with u as (
         insert into users (username, email, password_hash) values ('ada', 'ada@example.net', 'x') returning id
       ), z as (
         insert into zones (name, soa_mname, soa_rname) values ('example.net', 'ns1', 'hostmaster') returning id
       ), d as (
         insert into domains (user_id, zone_id, fqdn, rrtype, ttl, last_update_at)
         select u.id, z.id, label || '.example.net', 'A', 60, now() from u, z, unnest('{router,office,new}'::text[]) label
         returning id, user_id, fqdn
       )
       insert into domain_events (happened_at, domain_id, user_id, fqdn, kind, actor, client)
       select now() - age, d.id, d.user_id, d.fqdn, kind, actor, client
       from d join (values
         ('router', interval '1 hour', 'created', 'session', 'Mozilla/5.0'),
         ('router', '0', 'address', 'password', 'ddclient/3.10.0'),
         ('router', '-1 s', 'tags', 'session', 'Mozilla/5.0'),
         ('office', '0', 'address', 'administrator', 'Mozilla/5.0')
       ) as e(label, age, kind, actor, client) on d.fqdn = label || '.example.net'`,
    )
    await knex.migrate.up(step)
    const clients = await query<{ client: string | null }>(
      knex,
      'select last_update_client as client from domains order by id',
    )
    expect(clients.map(({ client }) => client)).toEqual(['ddclient/3.10.0', null, null])
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
