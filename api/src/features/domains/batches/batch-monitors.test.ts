import type { Domain } from '@homing/openapi'
import { expect, test } from 'vitest'
import { batchCalls } from '../../../../test/support/batch-calls.ts'
import { useDomainWorld } from '../../../../test/support/domain-world.ts'
import { query } from '../../../database/sql.ts'

const t = useDomainWorld()
const { applied, refused } = batchCalls(t)
const codesOf = async (operations: readonly object[]) =>
  (await refused(operations)).map(({ code }) => code)
const make = (label: string) =>
  t.made(t.ada, { fqdn: `${t.fresh(label)}.homing.test`, record_ip: '192.0.2.1' })
const states = async (...domains: readonly Domain[]) =>
  Promise.all(
    domains.map(async ({ id }) => {
      const { body } = await t.call(t.ada, 'GET', `/api/domains/${id}`)
      const { monitor_enabled, monitor_state } = JSON.parse(body) as Domain
      return `${monitor_enabled} ${monitor_state}`
    }),
  )

test('monitors are turned on and off, also of domains that the same line pauses', async () => {
  const [one, two, three] = [await make('one'), await make('two'), await make('three')]
  await applied([one, two].map(({ id }) => ({ op: 'change', id, monitor: true })))
  expect(await states(one, two, three)).toEqual(['true pending', 'true pending', 'false null'])
  await applied([
    { op: 'change', id: one.id, monitor: false },
    { op: 'change', id: two.id, paused: true, monitor: true },
    { op: 'change', id: three.id, record_ip: '192.0.2.9', monitor: true },
  ])
  expect(await states(one, two, three)).toEqual(['false off', 'true stopped', 'true pending'])
})

test('what a single call refuses, a batch refuses', async () => {
  const [one, locked] = [await make('one'), await make('locked')]
  const wildcard = await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: one.fqdn })
  await t.withhold(locked.id, 'locked')
  const { id: wildcardId } = JSON.parse(wildcard.body) as Domain
  const codes = await codesOf([
    { op: 'change', id: wildcardId, monitor: true },
    { op: 'change', id: locked.id, monitor: false },
    { op: 'change', id: one.id, monitor: true, version: 99 },
  ])
  expect(codes).toEqual(['conflict', 'domain-locked', 'version-mismatch'])
  await query(t.world.knex, `update users set account_type = 'free' where id = ?`, [t.ada.id])
  expect(await codesOf([{ op: 'change', id: one.id, monitor: true }])).toEqual(['plan-required'])
  await applied([{ op: 'change', id: one.id, monitor: false }])
  expect(await states(one)).toEqual(['false null'])
})
