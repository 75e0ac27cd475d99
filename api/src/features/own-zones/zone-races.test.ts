/** Calls about own zones at the same time. */
import type { OwnZone } from '@homing/openapi'
import { expect, test } from 'vitest'
import { query } from '../../database/sql.ts'
import { useZoneWorld } from '../../../test/support/zone-world.ts'

const t = useZoneWorld()

/** A gate at which the checks of a test wait. */
function closeGate(): { waiting: () => number; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let waiting = 0
  t.delegations.pause = async () => {
    waiting += 1
    await promise
  }
  return {
    waiting: () => waiting,
    open() {
      t.delegations.pause = undefined
      resolve()
    },
  }
}

const zones = (name: string) =>
  query<{ owner_id: string | null }>(t.world.knex, 'select owner_id from zones where name = ?', [
    name,
  ])
const verify = (who: typeof t.eve, { id }: OwnZone) =>
  t.call(who, 'POST', `/api/zones/${id}/verify`)

test('two accounts that claim at once share one neutral zone', async () => {
  const domain = t.freshDomain()
  const [hers, his] = await Promise.all([t.claim(t.eve, domain), t.claim(t.mia, domain)])
  expect(await zones(domain)).toEqual([{ owner_id: null }])
  for (const [who, { id }] of [
    [t.eve, hers],
    [t.mia, his],
  ] as const) {
    expect(await t.read(who, 'GET', `/api/zones/${id}`)).toMatchObject({ is_contested: true })
  }
})

test('of two accounts that prove at once, one has the zone and the other lost it', async () => {
  const domain = t.freshDomain()
  const [hers, his] = [await t.claim(t.eve, domain), await t.claim(t.mia, domain)]
  const claims = [await t.read<OwnZone>(t.eve, 'GET', `/api/zones/${hers.id}`), his]
  const txt = claims.flatMap(
    ({ tasks }) => tasks.find(({ method }) => method === 'txt')?.values ?? [],
  )
  expect(txt).toHaveLength(2)
  t.delegations.set(domain, { ns: ['ns.elsewhere.example'], txt })
  const gate = closeGate()
  const both = Promise.all([verify(t.eve, hers), verify(t.mia, his)])
  await expect.poll(gate.waiting).toBe(2)
  gate.open()
  expect((await both).map(({ status }) => status)).toEqual([200, 200])
  const states = await query<{ user_id: string; state: string }>(
    t.world.knex,
    'select user_id, state from zone_claims where name = ? order by state',
    [domain],
  )
  expect(states.map(({ state }) => state)).toEqual(['active', 'lost'])
  expect(await zones(domain)).toEqual([{ owner_id: states[0]?.user_id }])
})

test('a claim that is deleted while it is checked proves nothing', async () => {
  const domain = t.freshDomain()
  const claim = await t.claim(t.eve, domain)
  t.delegations.set(domain, { ns: 'right' })
  const gate = closeGate()
  const verifying = verify(t.eve, claim)
  await expect.poll(gate.waiting).toBe(1)
  await t.call(t.eve, 'DELETE', `/api/zones/${claim.id}`, { confirm: domain })
  gate.open()
  expect((await verifying).status).toBe(404)
  expect(await zones(domain)).toEqual([])
})

test('a plan that becomes smaller while a claim is checked proves nothing', async () => {
  const domain = t.freshDomain()
  const claim = await t.claim(t.eve, domain)
  t.delegations.set(domain, { ns: 'right' })
  const gate = closeGate()
  const verifying = verify(t.eve, claim)
  await expect.poll(gate.waiting).toBe(1)
  await query(t.world.knex, `update users set account_type = 'pro' where id = ?`, [t.eve.id])
  gate.open()
  expect(JSON.parse((await verifying).body)).toMatchObject({ state: 'pending', proof: null })
  expect(await zones(domain)).toEqual([{ owner_id: null }])
})

test('two set-ups at once make one claim', async () => {
  const domain = t.freshDomain()
  const setUp = () => t.call(t.eve, 'POST', '/api/vanity-ns/setup', { domain })
  expect((await Promise.all([setUp(), setUp()])).map(({ status }) => status)).toEqual([200, 200])
  expect(await t.read(t.eve, 'GET', '/api/zones')).toHaveLength(1)
  const others = ['one', 'two'].map((label) => t.freshDomain(label))
  const answers = await Promise.all(
    others.map((name) => t.call(t.mia, 'POST', '/api/vanity-ns/setup', { domain: name })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
})

test('a domain that is registered while its zone is lost is refused', async () => {
  const domain = t.freshDomain()
  await t.active(t.eve, domain)
  const other = await t.claim(t.mia, domain)
  t.publishTxt(other)
  const [made, proved] = await Promise.all([
    t.call(t.eve, 'POST', '/api/domains', { fqdn: `home.${domain}` }),
    verify(t.mia, other),
  ])
  expect(proved.status).toBe(200)
  // Before the proof, it is kept with the claim; after it, it is refused. It is never in the new zone.
  expect([201, 422]).toContain(made.status)
  expect(
    await query(t.world.knex, 'select from domains where fqdn = ?', [`home.${domain}`]),
  ).toEqual([])
})
