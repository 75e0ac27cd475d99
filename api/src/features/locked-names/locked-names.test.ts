/** Administrators see which names are locked, and clear locks. */
import type { Domain, LockedName } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { useAdminWorld } from '../../../test/support/admin-world.ts'
import { removeAccount } from '../../../test/support/remove-account.ts'
import { query } from '../../database/sql.ts'

const t = useAdminWorld('elite')

const nameOf = (label = '') => `${label}${t.ada.username}.homing.test`
const register = (who: Caller, fqdn: string) =>
  call(t.world.app, 'POST', '/api/domains', {
    headers: who.headers,
    body: { fqdn, record_ip: '192.0.2.7' },
  })
const turn = (id: string, verb: 'lock' | 'unlock') =>
  call(t.world.app, 'POST', `/api/admin/domains/${id}/${verb}`, { headers: t.admin.headers })
const clear = (id: string, { headers } = t.admin) =>
  call(t.world.app, 'DELETE', `/api/admin/locked-names/${id}`, { headers })
const list = (parameters: Readonly<Record<string, unknown>> = {}) =>
  t.list('locked-names', parameters)
const lockedNames = async (filter: object) => (await list({ filter })).json<LockedName[]>()
const domainOf = async (id: string) => (await t.get(`/api/admin/domains/${id}`)).json<Domain>()

async function lockedDomain(label = ''): Promise<Domain> {
  const domain = (await register(t.ada, nameOf(label))).json<Domain>()
  expect((await turn(domain.id, 'lock')).status).toBe(200)
  return domain
}

describe('GET /api/admin/locked-names', () => {
  test('shows each lock with its time, its administrator and the account', async () => {
    const { id, fqdn } = await lockedDomain()
    expect(await lockedNames({ q: fqdn })).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        fqdn,
        locked_at: expect.stringMatching(/^\d{4}-.*Z$/),
        locked_by: t.admin.username,
        user_id: t.ada.id,
        username: t.ada.username,
        domain_id: id,
      },
    ])
    await turn(id, 'unlock')
    expect(await lockedNames({ q: fqdn })).toEqual([])
  })

  test('a lock outlives the account, and then no longer shows it', async () => {
    const { fqdn } = await lockedDomain()
    await removeAccount(t.world.knex, t.ada.id)
    const gone = { user_id: null, username: null, domain_id: null }
    expect(await lockedNames({ q: fqdn })).toMatchObject([{ fqdn, ...gone }])
  })

  test('is sorted, filtered and paged like the other lists', async () => {
    const names = await Promise.all(['a-', 'b-', 'c-'].map((label) => lockedDomain(label)))
    const fqdns = names.map(({ fqdn }) => fqdn)
    const filter = { user_id: t.ada.id }
    const page = await list({ filter, sort: ['fqdn', 'DESC'], range: [0, 1] })
    expect(page.headers['content-range']).toBe('locked-names 0-1/3')
    expect(page.json<LockedName[]>().map(({ fqdn }) => fqdn)).toEqual(
      fqdns.toSorted().toReversed().slice(0, 2),
    )
    expect(await lockedNames({ ...filter, has_domain: true })).toHaveLength(3)
    expect(await lockedNames({ ...filter, has_domain: false })).toEqual([])
    const [first] = await lockedNames(filter)
    expect(await lockedNames({ id: first?.id })).toEqual([first])
    expect(problemOf(await list({ filter, range: [9, 10] })).code).toBe('range-not-satisfiable')
    for (const wrong of [{ sort: ['locked_by', 'ASC'] }, { filter: { fqdn: 'x' } }]) {
      expect(problemOf(await list(wrong)).code).toBe('validation-failed')
    }
  })

  test('gives 25 by default, and at most 100', async () => {
    await query(
      t.world.knex,
      `insert into locked_names (fqdn) select 'n' || n || '.many.test' from generate_series(1, 130) n`,
    )
    const filter = { q: '.many.test' }
    expect((await list({ filter })).headers['content-range']).toBe('locked-names 0-24/130')
    const most = await list({ filter, range: [0, 999] })
    expect(most.headers['content-range']).toBe('locked-names 0-99/130')
  })
})

describe('DELETE /api/admin/locked-names/{id}', () => {
  test('frees a name whose domain no longer exists', async () => {
    const { fqdn } = await lockedDomain()
    await removeAccount(t.world.knex, t.ada.id)
    const bob = await t.world.person(`bob${t.people}`, 'pro')
    expect(problemOf(await register(bob, fqdn)).code).toBe('name-not-allowed')
    const [lock] = await lockedNames({ q: fqdn })
    expect((await clear(lock?.id ?? '')).status).toBe(204)
    expect((await register(bob, fqdn)).status).toBe(201)
    expect(problemOf(await clear(lock?.id ?? ''))).toMatchObject({ status: 404, code: 'not-found' })
  })

  test('unlocks the domain and those below it, and the history records the administrator', async () => {
    const { id, fqdn } = await lockedDomain()
    const below = await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: `x.${fqdn}` })
    await turn(id, 'lock')
    expect(await domainOf(below.id)).toMatchObject({ withheld_by: ['locked'] })
    const [lock] = await lockedNames({ q: fqdn })
    await clear(lock?.id ?? '')
    for (const each of [id, below.id]) {
      expect(await domainOf(each)).toMatchObject({ is_active: true, withheld_by: [] })
      const events = await query(
        t.world.knex,
        `select kind, actor_id from domain_events where domain_id = ? order by id desc limit 1`,
        [each],
      )
      expect(events).toEqual([{ kind: 'restored', actor_id: t.admin.id }])
    }
  })

  test('does not affect a lock above', async () => {
    const above = await lockedDomain()
    const below = await insertDomain(t.world.knex, {
      userId: t.ada.id,
      fqdn: `x.${above.fqdn}`,
    })
    await turn(below.id, 'lock')
    const problem = problemOf(await turn(below.id, 'unlock'))
    expect(problem).toMatchObject({
      status: 409,
      code: 'conflict',
      detail: `x.${above.fqdn} is below ${above.fqdn}, which is locked. Unlock ${above.fqdn} instead.`,
    })
    const [lock] = await lockedNames({ q: `x.${above.fqdn}` })
    expect((await clear(lock?.id ?? '')).status).toBe(204)
    expect(await domainOf(below.id)).toMatchObject({ withheld_by: ['locked'] })
    await turn(above.id, 'unlock')
    expect(await domainOf(below.id)).toMatchObject({ withheld_by: [] })
  })

  test('does not affect a separate lock below', async () => {
    const above = await lockedDomain()
    const below = await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: `x.${above.fqdn}` })
    await turn(below.id, 'lock')
    await turn(above.id, 'unlock')
    expect(await domainOf(above.id)).toMatchObject({ withheld_by: [] })
    expect(await domainOf(below.id)).toMatchObject({ withheld_by: ['locked'] })
  })
})

test('a lock over more than 500 domains is finished by a job, and so is clearing it', async () => {
  const { id, fqdn } = (await register(t.ada, nameOf())).json<Domain>()
  await query(
    t.world.knex,
    `insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
     select ?, z.id, 'n' || n || '.' || ?, 'A', 60 from generate_series(1, 600) n, zones z where z.name = 'homing.test'`,
    [t.ada.id, fqdn],
  )
  const count = async () => {
    const sql = 'select count(*)::int as n from domains where user_id = ? and locked'
    const [row] = await query<{ n: number }>(t.world.knex, sql, [t.ada.id])
    return row?.n
  }
  for (const [verb, before, after] of [
    ['lock', 500, 601],
    ['unlock', 101, 0],
  ] as const) {
    const turned = (await turn(id, verb)).json<Domain>()
    expect(turned.is_active).toBe(verb === 'unlock')
    expect(await count()).toBe(before)
    const jobs = await runJobs(t.world.services, new KeepingMailer())
    expect(jobs.filter((name) => name !== 'mail')).toEqual(['name-lock'])
    expect(await count()).toBe(after)
  }
})
