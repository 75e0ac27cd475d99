import type { Domain } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { batchCalls } from '../../../../test/support/batch-calls.ts'
import { address, useDomainWorld } from '../../../../test/support/domain-world.ts'
import { query } from '../../../database/sql.ts'

const t = useDomainWorld()
const { applied } = batchCalls(t)
const name = (label: string) => `${t.fresh(label)}.homing.test`

describe('a batch', () => {
  test('pauses, resumes and tags as single calls do, with the same history', async () => {
    const names = ['single', 'batched'].map(name)
    const [single, batched] = [
      await t.made(t.ada, { fqdn: names[0], record_ip: '192.0.2.1' }),
      await t.made(t.ada, { fqdn: names[1], record_ip: '192.0.2.1' }),
    ]
    for (const { id, fqdn } of [single, batched]) {
      await t.call(t.ada, 'PUT', `/api/domains/${id}`, { tags: ['Office', 'old'] })
      await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: fqdn })
    }
    const wanted = { record_ipv6: '2001:db8::2', paused: true }
    await t.call(t.ada, 'PUT', `/api/domains/${single.id}`, { ...wanted, tags: ['Office', 'new'] })
    await applied([
      {
        op: 'change',
        id: batched.id,
        ...wanted,
        add_tags: ['new', 'OFFICE'],
        remove_tags: ['OLD', 'none'],
      },
    ])
    expect(await t.events(batched.id)).toEqual(await t.events(single.id))
    const rows = await query(
      t.world.knex,
      `select version, paused, tags, host(record_ipv6) as ip, last_update_at is not null as is_updated, last_update_client,
              ceil(extract(epoch from allowance_full_at - now()) / 10)::int as used
       from domains where id in (?, ?)`,
      [single.id, batched.id],
    )
    expect(rows[0]).toEqual(rows[1])
    expect(rows[1]).toMatchObject({ paused: true, tags: ['Office', 'new'] })
    expect(await t.served(batched.fqdn)).toBeUndefined()
    expect(await t.served(`*.${batched.fqdn}`)).toBeUndefined()
    await applied([{ op: 'change', id: batched.id, paused: false }])
    const both = [address('A', '192.0.2.1'), address('AAAA', '2001:db8::2')]
    expect(await t.served(`*.${batched.fqdn}`)).toEqual(both)
  })

  test('sets note and tags of new and of present domains, and refuses two ways to set tags', async () => {
    const [fresh, present] = [name('fresh'), name('present')]
    const texts = { note: '=1+1\r\nattic', tags: ['home', 'NAS'] }
    const { id } = await t.made(t.ada, { fqdn: present, tags: ['old'] })
    await applied([
      { op: 'create', fqdn: fresh, ...texts },
      { op: 'change', fqdn: present, ...texts },
    ])
    const listed = await t.call(t.ada, 'GET', '/api/domains')
    const stored = (JSON.parse(listed.body) as Domain[]).filter(({ fqdn }) =>
      [fresh, present].includes(fqdn),
    )
    const expected = { note: '=1+1\nattic', tags: ['home', 'NAS'] }
    expect(stored).toMatchObject([expected, expected])
    const operation = { op: 'change', id, tags: [], add_tags: ['new'] }
    const refused = await t.call(t.ada, 'POST', '/api/domains/bulk', { operations: [operation] })
    expect(JSON.parse(refused.body)).toMatchObject({ verdicts: [{ ok: false, field: 'tags' }] })
  })

  test('tags many domains in one change, also withheld ones, and publishes nothing', async () => {
    const made = await Promise.all(
      ['t1', 't2', 't3'].map((label) => t.made(t.ada, { fqdn: name(label) })),
    )
    await t.withhold(made[2]?.id ?? '', 'locked')
    const serials = () =>
      query(t.world.knex, 'select serial from zone_serials where zone_id = ?', [t.zone])
    const before = await serials()
    await applied(made.map(({ id }) => ({ op: 'change', id, add_tags: ['camera'] })))
    const answer = await t.call(t.ada, 'GET', '/api/domains?filter={"tag":"CAMERA"}')
    expect((JSON.parse(answer.body) as Domain[]).map(({ id }) => id).toSorted()).toEqual(
      made.map(({ id }) => id).toSorted(),
    )
    expect(await serials()).toEqual(before)
  })
})
