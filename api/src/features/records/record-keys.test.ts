/** API keys whose scope limits the records that they reach. */
import type { DnsRecord } from '@homing/openapi'
import { expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { type TestPlace, useRecordWorld } from '../../../test/support/record-world.ts'

const w = useRecordWorld()

const list = async (who: Caller, { url }: TestPlace) => w.read<DnsRecord[]>(who, 'GET', url)
const text = (owner: string) => ({ owner, type: 'TXT', values: ['a'] })

test('a key reaches records by their owner name, their domain and their type', async () => {
  const home = await w.domain(w.ada, 'keys')
  const challenge = `_acme-challenge.${home.fqdn}`
  await w.record(w.ada, home, text('other'))
  const narrow = await w.keyOf(w.ada, { domains: [challenge], record_types: ['TXT'] })
  const made = await w.record(narrow, home, text('_acme-challenge'))
  expect((await list(narrow, home)).map(({ owner }) => owner)).toEqual([challenge])
  expect((await w.problem(narrow, 'POST', home.url, text('x')))[0]).toBe('key-scope')
  expect((await w.call(narrow, 'DELETE', `${home.url}/${made.id}`)).status).toBe(204)
  const [other] = await list(w.ada, home)
  expect((await w.problem(narrow, 'DELETE', `${home.url}/${other?.id}`))[0]).toBe('not-found')

  const typed = await w.keyOf(w.ada, { domains: [home.fqdn], record_types: ['MX'] })
  const mx = { owner: 'deep.below', type: 'MX', values: ['10 a.example.com'] }
  await w.record(typed, home, mx)
  expect((await w.problem(typed, 'POST', home.url, text('x')))[0]).toBe('key-scope')
  const unknown = { owner: 'x', type: 'TYPE65280', values: [String.raw`\# 0`] }
  expect((await w.problem(typed, 'POST', home.url, unknown))[0]).toBe('key-scope')
  // A deletion of the domain would remove its TXT record, too.
  const addresses = await w.keyOf(w.ada, { record_types: ['A', 'AAAA', 'MX'] })
  expect((await w.problem(addresses, 'DELETE', `/api/domains/${home.id}`))[0]).toBe('key-scope')
  const pause = { paused: true }
  expect((await w.problem(addresses, 'PUT', `/api/domains/${home.id}`, pause))[0]).toBe('key-scope')

  const reading = await w.keyOf(w.ada, { actions: ['create', 'update'] })
  const replace = { text: 'x 3600 IN TXT a\n', replace: true }
  expect((await w.problem(reading, 'POST', `${home.url}/import`, replace))[0]).toBe('key-scope')
})

test('a key for owner names learns the id of their domain by its name, and nothing else of it', async () => {
  const home = await w.domain(w.ada, 'keyed')
  const { id, fqdn } = home
  const keyFor = (name: string) => w.keyOf(w.ada, { domains: [name] })
  const challenges = await keyFor(`_acme-challenge.${fqdn}`)
  const asked = (name: string) => `/api/records/domains/${name}`
  for (const name of [fqdn, `${fqdn.toUpperCase()}.`]) {
    expect(await w.read(challenges, 'GET', asked(name))).toEqual({ id, fqdn })
  }
  expect(await w.read(await keyFor(fqdn), 'GET', asked(fqdn))).toEqual({ id, fqdn })

  const unknown = await w.problem(challenges, 'GET', asked('unknown.homing.test'))
  expect(unknown[0]).toBe('not-found')
  await w.read(w.ada, 'POST', '/api/domains/wildcard', { base_fqdn: fqdn })
  for (const [caller, name] of [
    [challenges, `_acme-challenge.${fqdn}`],
    [challenges, `*.${fqdn}`],
    [w.ada, `*.${fqdn}`],
    [challenges, (await w.domain(w.ada, 'beside')).fqdn],
    [await keyFor(`_acme-challenge.x${fqdn}`), fqdn],
    [w.bob, fqdn],
  ] as const) {
    expect(await w.problem(caller, 'GET', asked(name))).toEqual(unknown)
  }
  // The own zones of such a key are in its list of zones.
  const zone = await w.ownZone(w.ada, 'keyed')
  const zones = async (name: string) =>
    (await w.read<{ id: string }[]>(await keyFor(name), 'GET', '/api/zones')).map(
      ({ id: claimId }) => claimId,
    )
  expect(await zones(`_acme-challenge.${zone.fqdn}`)).toEqual([zone.id])
  expect(await zones(`_acme-challenge.${fqdn}`)).toEqual([])
})
