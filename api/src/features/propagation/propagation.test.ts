/** What name servers on loopback addresses answer, and what the check says about them. */
import { ask } from '@homing/dnsd/client'
import type { Domain, Propagation } from '@homing/openapi'
import { PROPAGATION_STATES } from '@homing/openapi/vocabulary'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DnsTestServer, startDnsServer } from '../../../../test/dns-tree/dns-server.ts'
import type { DnsQuery, DnsReply, TextRecord } from '../../../../test/dns-tree/message.ts'
import { answerFrom } from '../../../../test/dns-tree/zone-answers.ts'
import { DomainWorld } from '../../../test/support/domain-world.ts'
import { insertOwnZone } from '../../../test/support/own-zone.ts'
import { query } from '../../database/sql.ts'
import { PropagationChecks } from '../../propagation/checks.ts'

const ZONE = 'homing.test'
const AT = { ns1: '127.54.0.1', ns2: '127.54.0.2', ns3: '127.54.0.3', ns4: '127.54.0.4' } as const
type Place = keyof typeof AT
const PLACES = Object.keys(AT) as Place[]
/** Answers one query; undefined: silence. */
type Respond = (asked: DnsQuery) => DnsReply | undefined | Promise<DnsReply | undefined>

const t = new DomainWorld()
const servers = new Map<Place, DnsTestServer>()
const responses = new Map<Place, Respond>()

beforeAll(async () => {
  let port = 0
  for (const place of PLACES) {
    const respond = (asked: DnsQuery) => responses.get(place)?.(asked)
    const server = await startDnsServer(AT[place], port, respond)
    servers.set(place, server)
    port = server.port
  }
  const nameservers = PLACES.map((place) => ({ hostname: `${place}.${ZONE}`, ipv4: AT[place] }))
  const config = { nameservers, dnsHosts: [], dnsPort: port }
  const propagation = new PropagationChecks(config, {
    // Only silence needs a time limit; a busy machine must not look like silence.
    ask: async (question, [server], options) =>
      ask(question, server === undefined ? [] : [server], {
        ...options,
        attemptMs: server?.address === AT.ns3 ? 50 : 4_000,
      }),
    repeatAfterMs: [1],
  })
  await t.open({ ...config, rateLimits: true }, { propagation })
})
beforeEach(async () => {
  await t.begin()
  await delegateTo('ns1', 'ns2')
})
afterEach(() => {
  responses.clear()
  for (const { asked } of servers.values()) asked.length = 0
})
afterAll(async () => {
  await t.world.end()
  for (const server of servers.values()) await server.close()
})

const hostOf = (name: string) => (name.includes('.') ? name : `${name}.${ZONE}`)

/** Names the name servers of the zone. */
async function delegateTo(...names: string[]): Promise<void> {
  await query(t.world.knex, `update records set rdata = ? where owner = ? and type = 'NS'`, [
    names.map((name) => `${hostOf(name)}.`),
    ZONE,
  ])
}

async function serialOf(zone: string): Promise<number> {
  const [row] = await query<{ serial: string }>(
    t.world.knex,
    'select s.serial from zone_serials s join zones z on z.id = s.zone_id where z.name = ?',
    [zone],
  )
  return Number(row?.serial)
}

/** The addresses of each domain in a version of the zone. */
type Addresses = Readonly<Record<string, readonly string[]>>

function contents(serial: number, addresses: Addresses, zone = ZONE): readonly TextRecord[] {
  return [
    [zone, 'SOA', `ns1.${zone}. hostmaster.${zone}. ${serial} 3600 600 86400 60`],
    ...Object.entries(addresses).flatMap(([name, all]) =>
      all.map((ip): TextRecord => [name, ip.includes(':') ? 'AAAA' : 'A', ip]),
    ),
  ]
}

/** Lets servers serve a version of the zone. */
function serve(places: readonly Place[], serial: number, addresses: Addresses, zone = ZONE): void {
  const zones = { [zone]: contents(serial, addresses, zone) }
  for (const place of places) responses.set(place, (asked) => answerFrom(zones, asked))
}

async function made(fields: object = { record_ip: '198.51.100.7' }): Promise<Domain> {
  return t.made(t.ada, { fqdn: `${t.fresh('home')}.${ZONE}`, ...fields })
}

async function check({ id }: Domain): Promise<Propagation> {
  const answer = await t.call(t.ada, 'GET', `/api/domains/${id}/propagation`)
  assert.equal(answer.status, 200, answer.body)
  return JSON.parse(answer.body) as Propagation
}

const statesIn = ({ servers: all }: Propagation) => all.map(({ server, state }) => [server, state])

test('each server’s serial and addresses: current, behind, silent and refusing', async () => {
  await delegateTo('ns1', 'ns2', 'ns3', 'ns4', 'ns.elsewhere.example')
  const domain = await made()
  const serial = await serialOf(ZONE)
  serve(['ns1'], serial, { [domain.fqdn]: ['198.51.100.7'] })
  serve(['ns2'], serial - 3, { [domain.fqdn]: ['192.0.2.1', '2001:db8::1'] })
  responses.set('ns3', () => undefined)
  responses.set('ns4', () => ({ rcode: 'REFUSED' }))
  const found = await check(domain)
  expect(found).toMatchObject({
    fqdn: domain.fqdn,
    zone: ZONE,
    is_current: false,
    published_serial: serial,
    published_addresses: ['198.51.100.7'],
    message: `1 of 5 name servers does not serve the zone. 1 does not answer. 1 is behind: serial ${serial - 3}, newest ${serial}. 1 answers 198.51.100.7. 1 could not be asked.`,
  })
  const rows = found.servers.map((each) => [
    each.server,
    each.address,
    each.state,
    each.serial,
    each.addresses,
    each.has_published_addresses,
    each.round_trip_ms !== null,
  ])
  expect(rows).toEqual([
    ['ns1.homing.test', AT.ns1, 'current', serial, ['198.51.100.7'], true, true],
    ['ns2.homing.test', AT.ns2, 'behind', serial - 3, ['192.0.2.1', '2001:db8::1'], false, true],
    ['ns3.homing.test', AT.ns3, 'unreachable', null, [], null, false],
    ['ns4.homing.test', AT.ns4, 'not-serving', null, [], null, true],
    ['ns.elsewhere.example', null, 'not-checked', null, [], null, false],
  ])
  const { body } = await t.world.app.inject({ url: '/metrics' })
  expect(body).toMatch(/^homing_api_propagation_checks_total\{outcome="not-current"\} [1-9]/m)
})

test('a server that receives the change during the check is current', async () => {
  const domain = await made()
  const serial = await serialOf(ZONE)
  const right = { [domain.fqdn]: ['198.51.100.7'] }
  serve(['ns1', 'ns2'], serial, right)
  const newer = responses.get('ns2')
  const former = { [ZONE]: contents(serial - 1, {}) }
  responses.set('ns2', (asked) =>
    (servers.get('ns2')?.asked.length ?? 0) <= 3 ? answerFrom(former, asked) : newer?.(asked),
  )
  expect(await check(domain)).toMatchObject({
    is_current: true,
    message: 'Both name servers answer 198.51.100.7.',
  })
})

describe('what a domain should show', () => {
  test.each<[string, object, (domain: Domain) => Promise<unknown>, string]>([
    ['without an address', {}, async () => undefined, 'has no address'],
    [
      'paused',
      { record_ip: '198.51.100.7' },
      async ({ id }) => t.call(t.ada, 'PUT', `/api/domains/${id}`, { paused: true }),
      'has no address',
    ],
    [
      'withheld by a lock',
      { record_ip: '198.51.100.7' },
      async ({ id }) => t.withhold(id, 'locked'),
      'has no address',
    ],
  ])('%s: no address', async (_what, fields, change, words) => {
    const domain = await made(fields)
    await change(domain)
    const serial = await serialOf(ZONE)
    serve(['ns1', 'ns2'], serial, {})
    expect(await check(domain)).toMatchObject({
      is_current: true,
      published_addresses: [],
      message: `Both name servers answer that the domain ${words}.`,
    })
    serve(['ns2'], serial, { [domain.fqdn]: ['198.51.100.7'] })
    const found = await check(domain)
    expect(statesIn(found)).toEqual([
      ['ns1.homing.test', 'current'],
      ['ns2.homing.test', 'different'],
    ])
    expect(found.servers[1]?.message).toMatch(
      /^It answers with 198\.51\.100\.7 instead of no address\./,
    )
  })

  test('a wildcard is asked by its own name', async () => {
    const { fqdn } = await made()
    const made201 = await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: fqdn })
    const wildcard = JSON.parse(made201.body) as Domain
    serve(['ns1', 'ns2'], await serialOf(ZONE), { [`*.${fqdn}`]: ['198.51.100.7'] })
    expect(await check(wildcard)).toMatchObject({ is_current: true, fqdn: `*.${fqdn}` })
  })
})

test('serials are compared by the arithmetic of RFC 1982', async () => {
  const domain = await made()
  const right = { [domain.fqdn]: ['198.51.100.7'] }
  const newest = await serialOf(ZONE)
  serve(['ns1'], newest + 1, right)
  // Before the serial wrapped.
  serve(['ns2'], 4_294_967_290, right)
  const found = await check(domain)
  expect(statesIn(found)).toEqual([
    ['ns1.homing.test', 'current'],
    ['ns2.homing.test', 'behind'],
  ])
  expect(found.servers[1]).toMatchObject({ has_published_addresses: true })
})

test('the name servers of an own zone have the addresses of the service; a zone that is not served is not asked', async () => {
  const name = `${t.fresh('brand')}.example`
  const { zoneId } = await insertOwnZone(t.world.knex, t.ada.id, name)
  await query(t.world.knex, `update zone_claims set is_vanity = true where name = ?`, [name])
  const domain = await t.made(t.ada, { fqdn: `home.${name}`, record_ip: '198.51.100.7' })
  serve(['ns1'], await serialOf(name), { [domain.fqdn]: ['198.51.100.7'] }, name)
  expect(await check(domain)).toMatchObject({
    message: 'The name server answers 198.51.100.7.',
    servers: [{ server: `ns1.${name}`, address: AT.ns1, state: 'current' }],
  })
  await query(t.world.knex, 'update zones set is_served = false where id = ?', [zoneId])
  expect(await check(domain)).toMatchObject({
    is_current: false,
    published_serial: null,
    servers: [],
    message: `DNS does not serve the zone ${name} at the moment, so no name server was asked.`,
  })
})

test('two calls share a check; a change begins another', async () => {
  const domain = await made()
  const serial = await serialOf(ZONE)
  const held = Promise.withResolvers<void>()
  const zones = { [ZONE]: contents(serial, { [domain.fqdn]: ['198.51.100.7'] }) }
  for (const place of ['ns1', 'ns2'] as const) {
    responses.set(place, async (asked) => {
      await held.promise
      return answerFrom(zones, asked)
    })
  }
  const first = check(domain)
  await expect.poll(() => servers.get('ns1')?.asked.length).toBe(3)
  const second = check(domain)
  await t.call(t.ada, 'PUT', `/api/domains/${domain.id}`, { record_ip: '198.51.100.8' })
  const third = check(domain)
  await expect.poll(() => servers.get('ns1')?.asked.length).toBe(6)
  held.resolve()
  expect((await second).checked_at).toBe((await first).checked_at)
  expect((await first).published_addresses).toEqual(['198.51.100.7'])
  expect((await third).published_addresses).toEqual(['198.51.100.8'])
})

test('an account can make 600 checks an hour', async () => {
  const domain = await made()
  await t.world.services.rateLimits.take('propagation-account', t.ada.id, 1, 600)
  const url = `/api/domains/${domain.id}/propagation`
  expect(await t.refused(t.ada, 'GET', url)).toMatchObject({ status: 429, code: 'rate-limited' })
  expect(servers.get('ns1')?.asked).toEqual([])
})

test('the guide explains each state', () => {
  const guide = readFileSync(
    join(import.meta.dirname, '../../../../docs/guides/domains.md'),
    'utf8',
  )
  const [, section = ''] = guide.split('\n## Propagation\n')
  const [table = ''] = section.split('| state | meaning |').slice(1)
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z-]+)` \|/gm)]
  expect(rows.map(([, state]) => state)).toEqual([...PROPAGATION_STATES])
})
