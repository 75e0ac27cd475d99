/** The effect of a plan change on the names of its accounts. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  expectFeedEqualsTables,
  makeUser,
  replay,
  toldSets,
  zoneId,
} from '../../../test/support/feed-world.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { usePlanWorld } from '../../../test/support/plan-world.ts'
import { holdPlans, lockAccount } from '../../feed/lock-order.ts'
import { FIRST } from '../../feed/plan-accounts.ts'
import { publishDomains } from '../../feed/publish.ts'
import { addWildcard } from '../../feed/wildcard.ts'
import { settlePlan } from '../../jobs/plan.ts'
import { query } from '../../database/sql.ts'

const t = usePlanWorld()
const CHANGE = { kind: 'system', id: null, sourceIp: null, client: null } as const
const told = async () => toldSets(t.knex, await zoneId(t.knex))
const toldOf = async (fqdn: string) => replay(await told())[fqdn]
const address = (ttl: number) => [{ type: 'A', ttl, rdata: ['192.0.2.1'] }]

/** Accounts on the plan pro that have names. */
async function peopleWith(...counts: number[]): Promise<string[]> {
  const ids: string[] = []
  for (const [n, count] of counts.entries()) {
    const id = await makeUser(t.knex, `p${t.adminWorld.people}x${n}`, 'pro')
    await t.addNames(id, count)
    ids.push(id)
  }
  return ids
}

describe('the names of all accounts on the plan', () => {
  test('over the new limit, the newest are withheld, and restored when it grows', async () => {
    const [ada = '', bob = ''] = await peopleWith(4, 2)
    const names = await t.servedOf(ada)
    await t.settle('pro', { domain_limit: 3 })
    expect(await t.servedOf(ada)).toEqual(names.slice(0, 3))
    expect(await t.servedOf(bob)).toHaveLength(2)
    expect(await toldOf(names[3] ?? '')).toBeUndefined()
    await t.settle('pro', { domain_limit: 0 })
    expect(await t.servedOf(bob)).toEqual([])
    await t.settle('pro', { domain_limit: 100 })
    expect(await t.servedOf(ada)).toEqual(names)
    await expectFeedEqualsTables(t.knex)
  })

  test('get the TTL, in DNS too; those of other plans keep theirs', async () => {
    const [ada = ''] = await peopleWith(1)
    const eve = await makeUser(t.knex, `eve${t.adminWorld.people}`, 'elite')
    await t.addNames(eve, 1)
    const [mine = ''] = await t.servedOf(ada)
    await t.settle('pro', { ttl: 120 })
    expect(await toldOf(mine)).toEqual(address(120))
    const ttls = await query(t.knex, 'select ttl from domains where user_id = ?', [eve])
    expect(ttls).toEqual([{ ttl: 60 }])
  })

  test('lose their wildcards with the plan, and get them back', async () => {
    const [ada = ''] = await peopleWith(1)
    const [base] = await query<{ id: string; fqdn: string }>(
      t.knex,
      'select id, fqdn from domains where user_id = ?',
      [ada],
    )
    const add = () => t.knex.transaction((trx) => addWildcard(trx, ada, base?.id ?? '', CHANGE))
    expect(await add()).toMatchObject({ kind: 'made' })
    const wildcard = `*.${base?.fqdn}`
    await t.settle('pro', { abilities: ['api_keys'] })
    expect(await t.servedOf(ada)).toEqual([base?.fqdn])
    expect(await toldOf(wildcard)).toBeUndefined()
    await t.settle('pro', { abilities: ['wildcard'] })
    expect(await toldOf(wildcard)).toEqual(address(60))
  })

  test('of an account that is disabled stay withheld', async () => {
    const [ada = ''] = await peopleWith(2)
    await query(t.knex, 'update users set enabled = false where id = ?', [ada])
    await t.settle('pro', { domain_limit: 90 })
    expect(await t.servedOf(ada)).toEqual([])
  })
})

describe('the job', () => {
  test('changes at most 500 names per step, and continues in another job', async () => {
    const people = await peopleWith(200, 60, 2)
    await t.put('pro', { ttl: 61 })
    await query(t.knex, 'delete from pgboss.job')
    const before = (await told()).length
    await settlePlan(t.adminWorld.world.services, { plan: 'pro', after: FIRST }, 1)
    const [next] = await query<{ data: { after: string } }>(t.knex, 'select data from pgboss.job')
    expect(next?.data).toEqual({ plan: 'pro', after: people[2] })
    const steps = (await told()).slice(before)
    expect(steps.length).toBeGreaterThan(1)
    expect(Math.max(...steps.map(({ owners }) => owners.size))).toBeLessThanOrEqual(500)
    expect(await t.preview('pro', {})).toMatchObject({ ttl_change_count: 0 })
  })

  test('that is killed is run again, and does only the rest', async () => {
    await peopleWith(200, 60)
    await t.put('pro', { ttl: 61 })
    const { services } = t.adminWorld.world
    let transactions = 0
    const dying = new Proxy(services.knex, {
      get(knex, name, receiver) {
        if (name === 'transaction' && (transactions += 1) > 1) throw new Error('killed')
        return Reflect.get(knex, name, receiver) as unknown
      },
    })
    const job = { plan: 'pro', after: FIRST }
    await expect(settlePlan({ ...services, knex: dying }, job)).rejects.toThrow('killed')
    const left = (await t.preview('pro', {})).ttl_change_count
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(260)
    await settlePlan(services, job)
    expect(await t.preview('pro', {})).toMatchObject({ ttl_change_count: 0, withheld_count: 0 })
    const sets = (await told()).length
    await settlePlan(services, job)
    expect(await told()).toHaveLength(sets)
    await expectFeedEqualsTables(t.knex)
  })

  test('of an older change applies the current plan', async () => {
    const [ada = ''] = await peopleWith(3)
    await t.put('pro', { domain_limit: 1 })
    await t.put('pro', { domain_limit: 2, ttl: 75 })
    await t.runJobs()
    expect(await t.servedOf(ada)).toHaveLength(2)
    const ttls = await query(t.knex, 'select distinct ttl from domains where user_id = ?', [ada])
    expect(ttls).toEqual([{ ttl: 75 }])
  })
})

describe('concurrent writers under the old plan', () => {
  test('are waited for, and their names are changed too', async () => {
    const [ada = ''] = await peopleWith(0)
    const trx = await t.knex.transaction()
    await lockAccount(trx, ada)
    await holdPlans(trx, ['pro'])
    const saving = t.put('pro', { ttl: 61 })
    await untilSomebodyWaits(t.knex)
    const [made] = await query<{ id: string }>(
      trx,
      `insert into domains (user_id, zone_id, fqdn, rrtype, record_ipv4, ttl)
       values (?, ?, 'late.homing.test', 'A', '192.0.2.1', 60) returning id`,
      [ada, await zoneId(t.knex)],
    )
    await publishDomains(trx, [made?.id ?? ''])
    await trx.commit()
    expect((await saving).status).toBe(200)
    await t.runJobs()
    expect(await toldOf('late.homing.test')).toEqual(address(61))
  })

  test('a wildcard that was allowed a moment ago is refused', async () => {
    const [ada = ''] = await peopleWith(1)
    const [base] = await query<{ id: string }>(t.knex, 'select id from domains where user_id = ?', [
      ada,
    ])
    await t.settle('pro', { abilities: [] })
    const verdict = await t.knex.transaction((trx) => addWildcard(trx, ada, base?.id ?? '', CHANGE))
    expect(verdict).toEqual({ kind: 'not-in-plan' })
  })
})

describe('a preview predicts the change', () => {
  interface State {
    readonly id: string
    readonly user_id: string
    readonly ttl: number
    readonly is_active: boolean
  }
  const states = async () => {
    const rows = await query<State>(t.knex, 'select id, user_id, ttl, is_active from domains')
    return new Map(rows.map((row) => [row.id, row]))
  }
  const change = fc.record(
    {
      domain_limit: fc.integer({ min: 0, max: 6 }),
      ttl: fc.integer({ min: 60, max: 62 }),
      abilities: fc.constantFrom<[] | ['wildcard']>([], ['wildcard']),
    },
    { requiredKeys: [] },
  )

  test('for several accounts, over several changes, with nothing left to do', async () => {
    const people = await peopleWith(6, 3, 0, 5)
    await query(t.knex, 'update users set enabled = false where id = ?', [people[1] ?? ''])
    await query(
      t.knex,
      `insert into domains (user_id, zone_id, base_id, fqdn, is_wildcard, rrtype, ttl)
       select user_id, zone_id, id, '*.' || fqdn, true, 'A', 60 from domains where fqdn like 'n2.%'`,
    )
    await query(t.knex, `update domains set paused = true where fqdn like 'n1.%'`)
    // A change that changes nothing starts no job, so what was written above must be settled before.
    await settlePlan(t.adminWorld.world.services, { plan: 'pro', after: FIRST })
    await fc.assert(
      fc.asyncProperty(change, async (wanted) => {
        const said = await t.preview('pro', wanted)
        const before = await states()
        await t.settle('pro', wanted)
        const after = [...(await states()).values()]
        const was = (id: string) => before.get(id) as State
        const withheld = after.filter((each) => was(each.id).is_active && !each.is_active)
        const restored = after.filter((each) => !was(each.id).is_active && each.is_active)
        const moved = after.filter((each) => was(each.id).ttl !== each.ttl)
        expect(said).toMatchObject({
          withheld_count: withheld.length,
          restored_count: restored.length,
          ttl_change_count: moved.length,
        })
        expect(await t.preview('pro', {})).toMatchObject({
          changed_account_count: 0,
          withheld_count: 0,
          restored_count: 0,
          ttl_change_count: 0,
        })
      }),
      { numRuns: 20 },
    )
  })

  test('has the effects on accounts, keys and features, and writes nothing', async () => {
    const others = (await t.preview('elite', {})).account_count
    const eve = await t.adminWorld.world.person(`eve${t.adminWorld.people}`, 'elite')
    await t.addNames(eve.id, 3)
    const before = await query(t.knex, 'select * from plans order by position')
    expect(await t.preview('elite', { domain_limit: 1, abilities: ['wildcard'], ttl: 60 })).toEqual(
      {
        id: 'elite',
        domain_limit: { before: 500, after: 1 },
        ttl: { before: 60, after: 60 },
        stealth_flag_limit: { before: 50, after: 50 },
        monitor_interval: { before: 30, after: 30 },
        record_limit: { before: 10_000, after: 10_000 },
        abilities_gained: [],
        abilities_lost: [
          'api_keys',
          'analytics',
          'uptime',
          'web_forward',
          'vanity_ns',
          'data_export',
        ],
        account_count: others + 1,
        changed_account_count: 1,
        withheld_count: 2,
        restored_count: 0,
        ttl_change_count: 0,
        api_keys: 'refused',
        api_key_count: 0,
        trust_policy_count: 0,
      },
    )
    expect(await query(t.knex, 'select * from plans order by position')).toEqual(before)
    expect(await query(t.knex, 'select id from pgboss.job')).toEqual([])
  })
})
