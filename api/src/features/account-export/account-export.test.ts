import { components, type AccountExport } from '@homing/openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { fillAccount } from '../../../test/support/full-account.ts'
import { query } from '../../database/sql.ts'
import { accountArchive } from './archive.ts'

let world: ApiWorld
let clock = new Date()
let people = 0
let ada: Caller
let bob: Caller

beforeAll(async () => {
  world = await openApiWorld({ productName: 'Söhne' }, { now: () => clock })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  clock = new Date()
  ada = await world.person(`ada${people}`)
  bob = await world.person(`bob${people}`)
})

const archive = ({ headers }: Pick<Caller, 'headers'> = ada): Promise<Reply> =>
  call(world.app, 'GET', '/api/me/export', { headers })
const opened = async (who?: Caller) => (await archive(who)).json<AccountExport>()

const fill = (who: Caller) => fillAccount(world, who)

/** Every digest, encrypted secret and hash in the database, in each form in which a text could contain it. */
async function guarded(): Promise<string[]> {
  const columns = await query<{ table: string; column: string; isBytes: boolean }>(
    world.knex,
    `select table_name as table, column_name as column, data_type = 'bytea' as "isBytes"
     from information_schema.columns
     where table_schema = 'public' and (data_type = 'bytea' or column_name ~ 'hash|secret|sealed|seed')`,
  )
  expect(columns.length).toBeGreaterThan(5)
  const values: string[] = []
  for (const { table, column, isBytes } of columns) {
    const spelt = isBytes
      ? [`encode(${column}, 'hex')`, `encode(${column}, 'base64')`, `encode(${column}, 'escape')`]
      : [`${column}::text`]
    for (const each of spelt) {
      const rows = await query<{ value: string | null }>(
        world.knex,
        `select ${each} as value from ${table}`,
      )
      values.push(...rows.flatMap(({ value }) => (value ? [value] : [])))
    }
  }
  return values.filter((value) => value.length > 5)
}

describe('GET /api/me/export', () => {
  test('is a file in the form of the contract', async () => {
    await fill(ada)
    const reply = await archive()
    expect(reply.status).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="account.json"',
      'cache-control': 'no-store',
    })
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    ajvFormats.default(ajv)
    for (const component of components) ajv.addSchema(component)
    ajv.validate('AccountExport', reply.json())
    expect(ajv.errorsText()).toBe('No errors')
    expect(Object.keys(reply.json<AccountExport>()).at(-1)).toBe('is_complete')
  })

  test('contains all data about its owner, in every part', async () => {
    await fill(ada)
    const fqdn = `home.${ada.username}.homing.test`
    const all = await opened()
    const empty = Object.entries(all).filter(([, part]) => Array.isArray(part) && part.length === 0)
    expect(empty).toEqual([])
    expect(all).toMatchObject({
      version: 1,
      exported_at: clock.toISOString(),
      service: { name: 'Söhne', url: 'http://localhost:8080' },
      account: {
        username: ada.username,
        email: `${ada.username}@mail.test`,
        deletion_due_at: null,
      },
      plan: { id: 'pro', domain_limit: 100, price_month_cents: 1000 },
      domains: [
        { fqdn, record_ipv4: '203.0.113.1', is_wildcard: false, is_active: true },
        { fqdn: `*.${fqdn}`, is_wildcard: true },
      ],
      deleted_domains: [{ fqdn: `left.${ada.username}.homing.test` }],
      former_domains: [{ fqdn: `left.${ada.username}.homing.test` }],
      reserved_names: [{ fqdn: `left.${ada.username}.homing.test` }],
      locked_names: [{ fqdn: `locked.${ada.username}.homing.test` }],
      web_forwards: [
        { target_url: 'https://www.example.net/', status_code: 301, disabled_at: null },
      ],
      web_forward_hits: [{ day: '2026-05-12', hits: 4 }],
      monitors: [{ is_enabled: true, kind: null, state: 'pending' }],
      monitor_states: [{ state: 'down', until: null }],
      maintenance_windows: [{ note: 'Backup', repeats: 'never' }],
      monitor_notifications: [{ message: 'test', outcome: 'waiting' }],
      zones: [{ name: `${ada.username}.example` }],
      zone_claims: [{ name: `${ada.username}.example`, proof: 'delegation' }],
      records: [{ owner: fqdn, type: 'TXT', rdata: ['"hello"'] }],
      update_calls: [{ client: 'ddclient', answer: 'good', times: 2 }],
      query_counts: [
        { day: '2026-05-12', queries: 7 },
        { day: '2026-05-13', queries: 5 },
      ],
      login_history: [
        { ip: '198.51.100.7', client: 'Ada’s laptop', success: true, method: 'password' },
      ],
      second_factors: {
        totp: [{ confirmed_at: null }],
        recovery_codes: [{ used_at: null }],
        passkeys: [{ name: 'laptop', transports: ['internal'] }],
      },
      trust_policies: [{ issuer: 'https://ci.example', scope: { domains: [fqdn] } }],
      is_complete: true,
    })
    // Without the administrator who stopped the forward, and without the secret of the monitor.
    expect(all.zone_claims[0]?.kept).toEqual({
      domains: [{ fqdn: 'lost.example', forward: { title: 'Shop' }, monitor: { port: 22 } }],
      records: [],
    })
    expect(all.domain_history.map(({ kind }) => kind).toSorted()).toEqual([
      'created',
      'created',
      'deleted',
      'wildcard_created',
    ])
    expect(all.domain_history).toContainEqual(
      expect.objectContaining({ source_ip: '198.51.100.7', client: 'Ada’s laptop' }),
    )
    expect(all.api_keys).toHaveLength(2)
    expect(all.jobs.map(({ kind }) => kind)).toContain('key-notice')
  })

  test('contains no secrets and no digests of them', async () => {
    const secrets = await fill(ada)
    const { text } = await archive()
    for (const secret of [...secrets, ...(await guarded())]) expect(text).not.toContain(secret)
  })

  test('contains no data of other accounts', async () => {
    await fill(ada)
    await fill(bob)
    expect((await archive()).text).not.toContain(bob.username)
  })

  test('does not reveal the address of an administrator who changed something', async () => {
    await fill(ada)
    const boss = await world.person(`boss${people}`, 'admin')
    const { domains } = await opened()
    const locked = await call(world.app, 'POST', `/api/admin/domains/${domains[0]?.id}/lock`, {
      headers: { ...boss.headers, 'user-agent': 'The office' },
      ip: '203.0.113.99',
    })
    expect(locked.status).toBeLessThan(300)
    const reply = await archive()
    expect(reply.json<AccountExport>().domain_history).toContainEqual(
      expect.objectContaining({
        actor: 'administrator',
        actor_id: null,
        source_ip: null,
        client: null,
      }),
    )
    expect(reply.text).not.toContain('203.0.113.99')
    expect(reply.text).not.toContain('The office')
    expect(reply.text).not.toContain(boss.username)
  })

  test('an account that will be deleted has the time of its deletion', async () => {
    const due = new Date(clock.getTime() + 86_400_000)
    await query(world.knex, 'update users set deletion_due_at = ? where id = ?', [due, ada.id])
    expect((await opened()).account.deletion_due_at).toBe(due.toISOString())
  })
})

describe('an account with much', () => {
  const NAMES = 40
  const CHANGES = 2_500

  test('is written in pieces of some hundred rows, each row once', async () => {
    await query(
      world.knex,
      `with names as (
         insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
         select ?, z.id, 'n' || n || '.many' || ? || '.homing.test', 'A', 60
         from zones z, generate_series(1, ${NAMES}) n where z.name = 'homing.test' returning id, user_id, fqdn)
       insert into domain_events (domain_id, user_id, fqdn, kind, actor)
       select id, user_id, fqdn, 'address', 'system' from names,
         generate_series(1, case when fqdn like 'n1.%' then ${CHANGES} else 3 end)`,
      [ada.id, people],
    )
    const pieces: string[] = []
    for await (const piece of await accountArchive(world.services, ada.id)) pieces.push(piece)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(256 * 1024)
    const all = JSON.parse(pieces.join('')) as AccountExport
    expect(all.domains).toHaveLength(NAMES)
    expect(all.domain_history).toHaveLength(CHANGES + (NAMES - 1) * 3)
    expect(new Set(all.domain_history.map(({ id }) => id)).size).toBe(all.domain_history.length)
    // A reader that disconnects leaves no open transaction behind.
    const left = await accountArchive(world.services, ada.id)
    await left.next()
    await left.return(undefined)
  })
})

test('a failed export is cut off, and does not look complete', async () => {
  const broken = await openApiWorld()
  try {
    const { headers } = await broken.person('unlucky')
    await query(broken.knex, 'alter table passkeys rename to passkeys_elsewhere')
    const url = await broken.app.listen({ host: '127.0.0.1', port: 0 })
    const reply = await fetch(`${url}/api/me/export`, { headers })
    expect(reply.status).toBe(200)
    await expect(reply.text()).rejects.toThrow('terminated')
    // When the first read fails, nothing was sent yet, so the response is an ordinary problem.
    await query(broken.knex, 'alter table plans rename to plans_elsewhere')
    const again = await fetch(`${url}/api/me/export`, { headers })
    expect(again.status).toBeGreaterThanOrEqual(500)
    expect(again.headers.get('content-type')).toContain('application/problem+json')
    await again.body?.cancel()
  } finally {
    await broken.end()
  }
})

describe('only its owner can read it', () => {
  test('a session whose confirmation is too old must confirm again', async () => {
    await query(
      world.knex,
      `update sessions set confirmed_at = now() - interval '1 hour' where user_id = ?`,
      [ada.id],
    )
    expect(problemOf(await archive()).code).toBe('step-up-required')
  })

  test('can be read five times a day', async () => {
    const limited = await openApiWorld({ rateLimits: true }, { now: () => clock })
    try {
      const { headers } = await limited.person('eager')
      const replies: Reply[] = []
      for (let n = 0; n < 6; n += 1) {
        replies.push(await call(limited.app, 'GET', '/api/me/export', { headers }))
      }
      const statuses = replies.map(({ status }) => status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
      expect(Number(replies.at(-1)?.headers['retry-after'])).toBeGreaterThan(80_000)
    } finally {
      await limited.end()
    }
  })

  test('the export of another account cannot be requested', async () => {
    const reply = await call(world.app, 'GET', `/api/me/export?user_id=${bob.id}`, {
      headers: ada.headers,
    })
    expect(problemOf(reply)).toMatchObject({ status: 422, errors: [{ field: 'user_id' }] })
  })
})
