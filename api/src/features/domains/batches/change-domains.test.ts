import type { BatchVerdict, Domain, Problem } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { BATCH_URL, batchCalls } from '../../../../test/support/batch-calls.ts'
import { newKey } from '../../../../test/support/batch-keys.ts'
import { address, useDomainWorld } from '../../../../test/support/domain-world.ts'
import { query } from '../../../database/sql.ts'

const t = useDomainWorld()
const { send, applied, refused } = batchCalls(t)
const name = (label: string) => `${t.fresh(label)}.homing.test`

const bad = (verdicts: readonly BatchVerdict[]) =>
  verdicts.filter(({ ok }) => !ok).map(({ index, code }) => [index, code])

/** What a batch must leave alone when it is refused. */
const state = () =>
  query(
    t.world.knex,
    `select (select json_agg(d order by id) from domains d) as domains,
            (select count(*) from domain_events) as events, (select count(*) from zone_changes) as changes,
            (select count(*) from name_reservations) as reservations`,
  )

describe('POST /api/domains/bulk', () => {
  test('creates, changes and deletes in one change set', async () => {
    const old = await t.made(t.ada, { fqdn: name('old'), record_ip: '192.0.2.1' })
    const gone = await t.made(t.ada, { fqdn: name('gone'), record_ip: '192.0.2.2' })
    await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: old.fqdn })
    await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: gone.fqdn })
    const [before] = await query<{ serial: string }>(
      t.world.knex,
      'select serial from zone_serials where zone_id = ?',
      [t.zone],
    )
    const verdicts = await applied([
      { op: 'create', fqdn: name('new'), record_ip: '2001:db8::1' },
      { op: 'change', id: old.id, record_ipv6: '2001:db8::2', version: old.version },
      { op: 'delete', fqdn: gone.fqdn.toUpperCase() },
    ])
    expect(verdicts).toEqual([
      { index: 0, op: 'create', ok: true, id: expect.stringMatching(/^\d+$/), fqdn: name('new') },
      { index: 1, op: 'change', ok: true, id: old.id, fqdn: old.fqdn },
      { index: 2, op: 'delete', ok: true, id: gone.id, fqdn: gone.fqdn },
    ])
    const both = [address('A', '192.0.2.1'), address('AAAA', '2001:db8::2')]
    expect(await t.served(name('new'))).toEqual([address('AAAA', '2001:db8::1')])
    expect(await t.served(old.fqdn)).toEqual(both)
    expect(await t.served(`*.${old.fqdn}`)).toEqual(both)
    expect(await t.served(gone.fqdn)).toBeUndefined()
    expect(await t.served(`*.${gone.fqdn}`)).toBeUndefined()
    const [after] = await query<{ serial: string }>(
      t.world.knex,
      'select serial from zone_serials where zone_id = ?',
      [t.zone],
    )
    expect(Number(after?.serial)).toBe(Number(before?.serial) + 1)
  })

  test('leaves the same history, version and allowance as single calls', async () => {
    const [single, batched] = [
      await t.made(t.ada, { fqdn: name('single'), record_ip: '192.0.2.1' }),
      await t.made(t.ada, { fqdn: name('batched'), record_ip: '192.0.2.1' }),
    ]
    await t.call(t.ada, 'PUT', `/api/domains/${single.id}`, { record_ip: '192.0.2.9' })
    await applied([{ op: 'change', id: batched.id, record_ip: '192.0.2.9' }])
    expect(await t.events(batched.id)).toEqual(await t.events(single.id))
    const rows = await query(
      t.world.knex,
      `select version, host(record_ipv4) as ip, last_update_at is not null as is_updated, last_update_client,
              ceil(extract(epoch from allowance_full_at - now()) / 10)::int as used
       from domains where id in (?, ?)`,
      [single.id, batched.id],
    )
    expect(rows[0]).toEqual(rows[1])
  })

  test('names three bad lines of 500, and changes nothing', async () => {
    await query(t.world.knex, `update users set account_type = 'elite' where id = ?`, [t.ada.id])
    const taken = await t.made(t.bob, { fqdn: name('taken') })
    const operations: object[] = Array.from({ length: 500 }, (_, n) => ({
      op: 'create',
      fqdn: name(`n${n}`),
      record_ip: '192.0.2.1',
    }))
    operations[7] = { op: 'create', fqdn: '-bad-.homing.test' }
    operations[250] = { op: 'create', fqdn: taken.fqdn }
    operations[499] = { op: 'create', fqdn: name('n499'), record_ip: '192.0.2' }
    const before = await state()
    const verdicts = await refused(operations)
    expect(verdicts).toHaveLength(500)
    expect(verdicts.filter(({ ok }) => !ok)).toEqual([
      expect.objectContaining({ index: 7, code: 'name-not-allowed', field: 'fqdn' }),
      expect.objectContaining({ index: 250, code: 'name-taken', field: 'fqdn', fqdn: taken.fqdn }),
      expect.objectContaining({ index: 499, code: 'validation-failed', field: 'record_ip' }),
    ])
    expect(await state()).toEqual(before)
  })

  test('a dry run has the same verdicts, and changes nothing', async () => {
    const old = await t.made(t.ada, { fqdn: name('dry'), record_ip: '192.0.2.1' })
    const good = [
      { op: 'create', fqdn: name('wet') },
      { op: 'change', id: old.id, record_ip: '192.0.2.2' },
    ]
    const before = await state()
    const answer = await send(good, { dry_run: true })
    expect(JSON.parse(answer.body)).toMatchObject({
      applied: false,
      verdicts: [{ ok: true, id: null }, { ok: true }],
    })
    const mixed = [...good, { op: 'delete', id: '999999999' }]
    expect(await refused(mixed, { dry_run: true })).toEqual(await refused(mixed))
    expect(await state()).toEqual(before)
  })

  test('says of every line what a single call would say', async () => {
    const [own, locked, over] = [
      await t.made(t.ada, { fqdn: name('own'), record_ip: '192.0.2.1' }),
      await t.made(t.ada, { fqdn: name('locked'), record_ip: '192.0.2.1' }),
      await t.made(t.ada, { fqdn: name('over'), record_ip: '192.0.2.1' }),
    ]
    const others = await t.made(t.bob, { fqdn: name('others') })
    const full = await t.made(t.ada, { fqdn: name('full') })
    const tags = Array.from({ length: 10 }, (_, n) => `tag${n}`)
    await t.call(t.ada, 'PUT', `/api/domains/${full.id}`, { tags })
    await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: own.fqdn })
    await t.withhold(locked.id, 'locked')
    await t.withhold(over.id, 'over_limit')
    const address = { record_ip: '192.0.2.7' }
    const lines = [
      [{ op: 'create', fqdn: own.fqdn }, 'name-taken'],
      [{ op: 'create', fqdn: `x.${others.fqdn}` }, 'name-taken'],
      [{ op: 'create', fqdn: `x.${locked.fqdn}` }, 'domain-locked'],
      [{ op: 'create', fqdn: 'www.homing.test' }, 'name-not-allowed'],
      [{ op: 'create', fqdn: 'paypa1-login.homing.test' }, 'name-not-allowed'],
      [{ op: 'create', fqdn: 'home' }, 'validation-failed'],
      [{ op: 'create', fqdn: name('private'), record_ip: '0.0.0.0' }, 'address-not-allowed'],
      [{ op: 'change', id: others.id, ...address }, 'not-found'],
      [{ op: 'change', fqdn: '..', ...address }, 'not-found'],
      [{ op: 'change', ...address }, 'validation-failed'],
      [{ op: 'change', id: locked.id, ...address }, 'withheld'],
      [{ op: 'change', id: over.id, ...address }, 'withheld'],
      [{ op: 'change', fqdn: `*.${own.fqdn}`, ...address }, 'conflict'],
      [{ op: 'change', fqdn: own.fqdn, version: 9, ...address }, 'version-mismatch'],
      [{ op: 'change', id: own.id, record_ip: '2001:db8::1' }, 'validation-failed'],
      [{ op: 'change', id: locked.id, paused: true }, 'withheld'],
      [{ op: 'change', fqdn: `*.${own.fqdn}`, paused: true }, 'conflict'],
      [{ op: 'change', id: own.id, version: 9, add_tags: ['a'] }, 'version-mismatch'],
      [{ op: 'change', id: own.id, add_tags: ['a:b'] }, 'validation-failed'],
      [{ op: 'change', id: own.id, add_tags: ['a'], remove_tags: ['A'] }, 'validation-failed'],
      [{ op: 'change', id: full.id, add_tags: ['eleven'] }, 'validation-failed'],
      [{ op: 'delete', id: own.id, version: 9 }, 'version-mismatch'],
      [{ op: 'delete', id: locked.id }, 'domain-locked'],
      [{ op: 'delete', id: others.id, fqdn: others.fqdn }, 'validation-failed'],
    ] as const
    for (const [line, code] of lines) {
      expect([line, (await refused([line]))[0]?.code]).toEqual([line, code])
    }
  })

  test('a domain can occur once', async () => {
    const fqdn = name('twice')
    const verdicts = await refused([
      { op: 'create', fqdn },
      { op: 'create', fqdn: fqdn.toUpperCase() },
    ])
    expect(bad(verdicts)).toEqual([[1, 'conflict']])
    expect(verdicts[1]?.detail).toContain('operation 0')
  })

  test('counts the limit of the plan over the whole batch', async () => {
    const limited = { ...t.bob }
    const made: Domain[] = []
    for (let n = 0; n < 5; n += 1) made.push(await t.made(limited, { fqdn: name(`b${n}`) }))
    const swap = [
      { op: 'create', fqdn: name('fresh1') },
      { op: 'create', fqdn: name('fresh2') },
      { op: 'delete', id: made[0]?.id },
    ]
    const answer = await t.call(limited, 'POST', BATCH_URL, { operations: swap })
    expect(bad((JSON.parse(answer.body) as Problem).verdicts ?? [])).toEqual([[1, 'domain-limit']])
    const fitting = await t.call(limited, 'POST', BATCH_URL, { operations: swap.toSpliced(1, 1) })
    expect(fitting.status).toBe(200)
  })

  test('a freed place goes to the oldest domain that the plan had withheld', async () => {
    const [served, waiting] = [
      await t.made(t.bob, { fqdn: name('served'), record_ip: '192.0.2.1' }),
      await t.made(t.bob, { fqdn: name('waiting'), record_ip: '192.0.2.2' }),
    ]
    await query(t.world.knex, `update plans set domain_limit = 1 where account_type = 'free'`)
    try {
      await t.withhold(waiting.id, 'over_limit')
      const operations = [{ op: 'delete', id: served.id }]
      expect((await t.call(t.bob, 'POST', BATCH_URL, { operations })).status).toBe(200)
      expect(await t.served(waiting.fqdn)).toEqual([address('A', '192.0.2.2', 3600)])
    } finally {
      await query(t.world.knex, `update plans set domain_limit = 5 where account_type = 'free'`)
    }
  })

  test('deleted names are reserved for their owner', async () => {
    const { id, fqdn } = await t.made(t.ada, { fqdn: name('kept') })
    await applied([{ op: 'delete', id }])
    const problem = await t.refused(t.bob, 'POST', BATCH_URL, {
      operations: [{ op: 'create', fqdn }],
    })
    expect(problem.verdicts?.[0]?.code).toBe('name-reserved')
    await applied([{ op: 'create', fqdn }])
  })

  test('an API key needs the action and the domain of each line', async () => {
    const [inside, outside] = [
      await t.made(t.ada, { fqdn: name('ci-in'), record_ip: '192.0.2.1' }),
      await t.made(t.ada, { fqdn: name('out'), record_ip: '192.0.2.1' }),
    ]
    const key = await newKey(t.world, t.ada.id, {
      domains: ['ci-*.homing.test'],
      actions: ['update'],
    })
    const operations = [
      { op: 'change', id: inside.id, record_ip: '192.0.2.2' },
      { op: 'change', id: outside.id, record_ip: '192.0.2.2' },
      { op: 'delete', id: inside.id },
      { op: 'create', fqdn: name('ci-new') },
    ]
    const answer = await t.call(undefined, 'POST', BATCH_URL, { operations }, key)
    expect(bad((JSON.parse(answer.body) as Problem).verdicts ?? [])).toEqual([
      [1, 'not-found'],
      [2, 'key-scope'],
      [3, 'key-scope'],
    ])
    const allowed = { operations: operations.slice(0, 1) }
    expect((await t.call(undefined, 'POST', BATCH_URL, allowed, key)).status).toBe(200)
  })

  test.each([
    [[], 'operations'],
    [[{}], 'operations.0.op'],
    [[{ op: 'rename' }], 'operations.0.op'],
    [[{ op: 'create' }], 'operations.0.fqdn'],
    [[{ op: 'create', fqdn: 'x', record_ip: 4 }], 'operations.0.record_ip'],
    [[{ op: 'delete', id: '1', zone: 'x' }], 'operations.0.zone'],
    [Array.from({ length: 501 }, () => ({ op: 'delete', id: '1' })), 'operations'],
  ])('a body of another form is refused with the field: %j', async (operations, field) => {
    const problem = await t.refused(t.ada, 'POST', BATCH_URL, { operations })
    expect(problem).toMatchObject({ code: 'validation-failed', errors: [{ field }] })
  })

  test('two batches for the last places of a plan do not both get them', async () => {
    const batch = (label: string) => ({
      operations: [1, 2, 3].map((n) => ({ op: 'create', fqdn: name(`${label}${n}`) })),
    })
    const answers = await Promise.all(
      ['x', 'y'].map((label) => t.call(t.bob, 'POST', BATCH_URL, batch(label))),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
  })
})
