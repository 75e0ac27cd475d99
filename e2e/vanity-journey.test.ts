/**
 * Own zones and vanity name servers in a small Internet with a root, registries and another DNS provider. The test is the
 * registrar: it changes what the registries delegate, and the service finds out.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import type { Account } from './support/accounts.ts'
import { messagesTo } from './support/mailbox.ts'
import type { Delegation } from './support/dns-tree/tree.ts'
import { eventually, temporaryDataDir } from './support/stack.ts'
import { startUnbound, type Unbound } from './support/unbound.ts'
import {
  NS1,
  NS2,
  startVanityWorld,
  TO_SERVICE,
  toVanity,
  type VanityWorld,
} from './support/vanity-world.ts'

const ZONE = 'example.com'
const VERIFY_LIMIT_MS = 5_000
const RIGHT = toVanity(ZONE)
const AWAY: Delegation = { nameservers: ['ns.hoster.com'] }
const DS = `12345 13 2 ${'00112233'.repeat(8)}`

const folder = temporaryDataDir()
let world: VanityWorld
let ada: Account

const verifyVanity = async (account: Account) => {
  const { data, error } = await account.api.POST('/api/vanity-ns/verify')
  if (data === undefined) throw new Error(error.detail)
  return data
}

/** Claims a domain with the name servers of the service. @returns the id of the claim */
async function claim(account: Account, domain: string): Promise<string> {
  const { data, error } = await account.api.POST('/api/zones', { body: { domain } })
  if (data === undefined) throw new Error(error.detail)
  return data.id
}

async function zoneOf(account: Account, id: string) {
  const { data, error } = await account.api.GET('/api/zones/{id}', { params: { path: { id } } })
  if (data === undefined) throw new Error(error.detail)
  return data
}

async function verify(account: Account, id: string) {
  const answer = await account.api.POST('/api/zones/{id}/verify', { params: { path: { id } } })
  if (answer.data === undefined) throw new Error(answer.error.detail)
  return answer.data
}

/** The value that a proof of this claim needs. */
async function proofValue(account: Account, id: string, method: 'txt' | 'ns'): Promise<string> {
  const { tasks } = await zoneOf(account, id)
  const value = tasks.find((task) => task.method === method)?.values[0]
  if (value === undefined) throw new Error(`${method} is not a task: ${JSON.stringify(tasks)}`)
  return value
}

/** The owner of a domain changes it at the registrar. Undefined: the registration ends. */
const delegate = (domain: string, delegation: Delegation | undefined) =>
  delegation === undefined
    ? world.tree.registrar.remove(domain)
    : world.tree.registrar.delegate(domain, delegation)

/** Publishes a TXT record with the token of a claim where the domain is hosted, and lets the registry delegate it there. */
async function hostElsewhere(domain: string, token: string): Promise<void> {
  await world.tree.host(domain, [[`_homing-verify.${domain}`, 'TXT', `"${token}"`]])
  await delegate(domain, AWAY)
}

async function addRecord(account: Account, id: string, owner: string, type: string, value: string) {
  const { error } = await account.api.POST('/api/zones/{id}/records', {
    params: { path: { id } },
    body: { owner, type, values: [value] },
  })
  if (error !== undefined) throw new Error(error.detail)
}

async function addDomain(account: Account, fqdn: string, zone: string, address: string) {
  const body = { fqdn, zone, rrtype: 'A', record_ip: address } as const
  const { error } = await account.api.POST('/api/domains', { body })
  if (error !== undefined) throw new Error(`${fqdn}: ${error.detail}`)
}

/** The response code of a server for a name. */
async function statusAt(server: string, name: string): Promise<string> {
  const text = await world.namespace.run('dig', `@${server}`, '+norecurse', name, 'SOA')
  return /status: (\w+)/.exec(text)?.[1] ?? text
}

/** Waits until Unbound resolves a name to these values. */
const resolvesTo = (unbound: Unbound, name: string, type: string, values: readonly string[]) =>
  eventually(
    () => resolve(unbound, name, type),
    (found) => found.toSorted().join() === values.toSorted().join(),
    20_000,
  )

/** What Unbound resolves from the root, with an empty cache. */
async function resolve(unbound: Unbound, name: string, type: string): Promise<string[]> {
  await unbound.flush()
  const words = [`@${unbound.address}`, '+time=5', '+tries=1', '+short', name, type]
  const text = await world.namespace.run('dig', ...words)
  return text.split('\n').filter((line) => line !== '')
}

/** Waits for a mail to an account. */
const getsMail = ({ username }: Account, subject: string) =>
  eventually(
    () => messagesTo(world.stack.dataDir, `${username}@mail.example`),
    (messages) => messages.some((message) => message.subject === `Homing: ${subject}`),
    20_000,
  )

describe(
  'own zones and vanity name servers',
  needs('root', 'ip', 'nsenter', 'knotd', 'knotc', 'dig', 'unbound', 'unbound-control'),
  () => {
    let unbound: Unbound

    beforeAll(async () => {
      world = await startVanityWorld(folder.path)
      ada = await world.eliteAccount('ada')
      unbound = await startUnbound({
        namespace: world.namespace,
        folder: join(folder.path, 'unbound'),
        rootHints: world.tree.rootHints,
        topLevel: 'test',
      })
    })
    afterAll(async () => {
      await unbound?.stop()
      await world?.close()
      folder.remove()
    })

    describe('set-up', () => {
      beforeAll(async () => {
        const { data } = await ada.api.POST('/api/vanity-ns/setup', { body: { domain: ZONE } })
        expect(data?.nameservers).toEqual({
          ns1: { hostname: `ns1.${ZONE}`, ip: NS1.ipv4, ipv6: NS1.ipv6 },
          ns2: { hostname: `ns2.${ZONE}`, ip: NS2.ipv4, ipv6: null },
        })
      })

      test('the zone is served before it is delegated, with SOA, NS and glue', async () => {
        const answer = () =>
          world.namespace.run('dig', `@${NS2.ipv4}`, '+norecurse', '+short', ZONE, 'NS')
        const names = await eventually(answer, (text) => text.includes('ns1.'))
        expect(names.trim().split('\n').toSorted()).toEqual([`ns1.${ZONE}.`, `ns2.${ZONE}.`])
      })

      const unrelated = '192.0.2.200'
      test.each<[string, Delegation | undefined, string, string]>([
        ['it is not delegated', undefined, 'delegated', 'com'],
        ['it has other name servers', AWAY, 'names', 'ns.hoster.com'],
        ['there is no glue', { nameservers: RIGHT.nameservers }, 'glue', `ns1.${ZONE}`],
        [
          'an IPv4 address is wrong',
          toVanity(ZONE, { [`ns2.${ZONE}`]: [unrelated] }),
          'ipv4',
          unrelated,
        ],
        [
          'an IPv6 address is wrong',
          toVanity(ZONE, { [`ns1.${ZONE}`]: [NS1.ipv4, '2001:db8::99'] }),
          'ipv6',
          '2001:db8::99',
        ],
        ['the parent has a DS record', { ...RIGHT, ds: DS }, 'no-ds', 'DS'],
      ])('%s', async (_name, delegation, fact, named) => {
        await delegate(ZONE, delegation)
        const { status, zone } = await verifyVanity(ada)
        expect(status).toBe('pending')
        const facts = zone.last_check?.facts ?? []
        expect(facts.find(({ state }) => state === 'wrong')?.fact).toBe(fact)
        expect(facts.find((each) => each.fact === fact)?.message).toContain(named)
      })

      test('our servers do not answer', async () => {
        await delegate(ZONE, RIGHT)
        const daemon = world.stack.pidOf('dnsd')
        process.kill(daemon, 'SIGSTOP')
        const { status, zone } = await verifyVanity(ada).finally(() =>
          process.kill(daemon, 'SIGCONT'),
        )
        expect(status).toBe('pending')
        const wrong = zone.last_check?.facts.filter(({ state }) => state !== 'right') ?? []
        expect(wrong.map(({ fact }) => fact)).toEqual(['authoritative'])
      })

      test('the servers of the registry disagree', async () => {
        await world.tree.differ('b.nic.com', ZONE, AWAY)
        const { zone } = await verifyVanity(ada)
        const { facts = [], parent_servers = [] } = zone.last_check ?? {}
        expect(facts.find(({ fact }) => fact === 'names')?.state).toBe('wrong')
        expect(parent_servers.map(({ nameservers }) => nameservers.length)).toEqual([2, 1])
      })

      test('everything is right', async () => {
        await world.tree.differ('b.nic.com', ZONE, undefined)
        await delegate(ZONE, RIGHT)
        expect(await verifyVanity(ada)).toMatchObject({
          status: 'verified',
          message: 'Verification successful! Your vanity nameservers are now active.',
          zone: { state: 'active', proof: 'delegation', last_check: { is_right: true } },
        })
        const { data } = await ada.api.GET('/api/vanity-ns/status')
        expect(data).toMatchObject({
          configured: true,
          verified: true,
          verification_pending: false,
        })
        await getsMail(ada, 'Your vanity name servers work')
      })

      test('a check with a silent server of the registry takes 5 seconds at most', async () => {
        await world.tree.setDead('b.nic.com', true)
        const begin = performance.now()
        const { status, zone } = await verifyVanity(ada)
        const tookMs = Math.round(performance.now() - begin)
        await world.tree.setDead('b.nic.com', false)
        process.stdout.write(`verify with a dead parent server: ${tookMs} ms\n`)
        expect(tookMs).toBeLessThan(VERIFY_LIMIT_MS)
        expect(status).toBe('verified')
        const outcomes = zone.last_check?.parent_servers.map(({ outcome }) => outcome) ?? []
        expect(outcomes.toSorted()).toEqual(['delegates', 'no-answer'])
      })
    })

    describe('content', () => {
      test('Unbound resolves domains and mail in the zone, from the root', async () => {
        const { data } = await ada.api.GET('/api/vanity-ns/status')
        await addRecord(ada, data?.zone?.id ?? '', '@', 'MX', '10 mail.example.com.')
        for (const fqdn of [ZONE, `www.${ZONE}`, `*.deep.${ZONE}`]) {
          await addDomain(ada, fqdn, ZONE, '192.0.2.80')
        }
        await resolvesTo(unbound, ZONE, 'MX', ['10 mail.example.com.'])
        await resolvesTo(unbound, ZONE, 'A', ['192.0.2.80'])
        await resolvesTo(unbound, `www.${ZONE}`, 'A', ['192.0.2.80'])
        await resolvesTo(unbound, `any.deep.${ZONE}`, 'A', ['192.0.2.80'])
        await resolvesTo(unbound, `ns1.${ZONE}`, 'AAAA', [NS1.ipv6])
      })

      test('another zone uses the name servers, and they cannot be removed meanwhile', async () => {
        const domain = 'example.org'
        const { data: zone } = await ada.api.POST('/api/zones', {
          body: { domain, uses_vanity: true },
        })
        const id = zone?.id ?? ''
        await delegate(domain, { nameservers: RIGHT.nameservers })
        expect(await verify(ada, id)).toMatchObject({ state: 'active', proof: 'delegation' })
        await addDomain(ada, domain, domain, '192.0.2.81')
        await resolvesTo(unbound, domain, 'A', ['192.0.2.81'])
        const { data: status } = await ada.api.GET('/api/vanity-ns/status')
        expect(status?.zones_count).toBe(1)
        const refused = await ada.api.DELETE('/api/vanity-ns')
        expect(refused.error).toMatchObject({ status: 409, code: 'conflict' })
        const own = { params: { path: { id: status?.zone?.id ?? '' } }, body: { confirm: ZONE } }
        expect((await ada.api.DELETE('/api/zones/{id}', own)).error?.code).toBe('conflict')

        const params = { path: { id } }
        const wrong = await ada.api.DELETE('/api/zones/{id}', { params, body: { confirm: ZONE } })
        expect(wrong.response.status).toBe(422)
        const gone = await ada.api.DELETE('/api/zones/{id}', { params, body: { confirm: domain } })
        expect(gone.response.status).toBe(204)
        await eventually(
          () => statusAt(NS1.ipv4, domain),
          (status) => status === 'REFUSED',
        )
      })

      test('the names can be removed, and the zone then has the name servers of the service', async () => {
        expect((await ada.api.DELETE('/api/vanity-ns')).response.status).toBe(204)
        await delegate(ZONE, TO_SERVICE)
        const { data: zones = [] } = await ada.api.GET('/api/zones')
        const id = zones.find(({ zone }) => zone === ZONE)?.id ?? ''
        const { state, nameservers, last_check } = await verify(ada, id)
        expect([state, last_check?.is_right]).toEqual(['active', true])
        expect(nameservers.map(({ hostname }) => hostname)).toEqual(TO_SERVICE.nameservers)
        await resolvesTo(
          unbound,
          ZONE,
          'NS',
          TO_SERVICE.nameservers.map((name) => `${name}.`),
        )
        await resolvesTo(unbound, ZONE, 'MX', ['10 mail.example.com.'])
      })
    })

    describe('two accounts claim a domain', () => {
      const domain = 'contested.com'
      const ids = { bob: '', cleo: '' }
      let bob: Account
      let cleo: Account

      beforeAll(async () => {
        bob = await world.eliteAccount('bob')
        cleo = await world.eliteAccount('cleo')
      })

      test('the delegation proves neither of two live claims', async () => {
        const both = 'both.com'
        const [ofBob, ofCleo] = [await claim(bob, both), await claim(cleo, both)]
        await delegate(both, TO_SERVICE)
        for (const [account, id] of [
          [bob, ofBob],
          [cleo, ofCleo],
        ] as const) {
          const { state, is_contested, last_check } = await verify(account, id)
          expect([state, is_contested, last_check?.is_right]).toEqual(['pending', true, true])
        }
        expect(await resolve(unbound, both, 'NS')).toHaveLength(2)
        await hostElsewhere(both, await proofValue(cleo, ofCleo, 'txt'))
        expect(await verify(bob, ofBob)).toMatchObject({ state: 'pending' })
        expect(await verify(cleo, ofCleo)).toMatchObject({ state: 'active', proof: 'txt' })
        expect(await zoneOf(bob, ofBob)).toMatchObject({ state: 'pending', is_contested: true })
      })

      test('a claim of a domain that is delegated already needs another proof', async () => {
        ids.bob = await claim(bob, domain)
        await delegate(domain, TO_SERVICE)
        expect(await verify(bob, ids.bob)).toMatchObject({ state: 'active', proof: 'delegation' })
        await addDomain(bob, domain, domain, '192.0.2.91')
        await addRecord(bob, ids.bob, '@', 'MX', '10 bob.contested.com.')
        ids.cleo = await claim(cleo, domain)
        expect(await verify(cleo, ids.cleo)).toMatchObject({ state: 'pending', is_contested: true })
        await resolvesTo(unbound, domain, 'A', ['192.0.2.91'])
      })

      test('a third name server at the parent proves it, and the zone of the former owner is withdrawn', async () => {
        const token = (await proofValue(cleo, ids.cleo, 'ns')).replace(/\.$/, '')
        expect(token).toMatch(/^[\w-]+\.verify\.homing\.test$/)
        await delegate(domain, { nameservers: [...TO_SERVICE.nameservers, token] })
        // Resolvers may ask the third name server, too.
        await resolvesTo(unbound, token, 'A', [NS1.ipv4, NS2.ipv4])
        expect(await verify(cleo, ids.cleo)).toMatchObject({ state: 'active', proof: 'ns' })
        expect(await zoneOf(bob, ids.bob)).toMatchObject({ state: 'lost', domains: 0, records: 0 })
        await getsMail(bob, `Another account proved that it owns ${domain}`)
        await resolvesTo(unbound, domain, 'A', [])
        await resolvesTo(unbound, domain, 'MX', [])
        await addDomain(cleo, domain, domain, '192.0.2.92')
        await resolvesTo(unbound, domain, 'A', ['192.0.2.92'])
        const { data: domains = [] } = await bob.api.GET('/api/domains')
        expect(domains.map(({ fqdn }) => fqdn)).not.toContain(domain)
      })

      test('the former owner proves the domain again and gets everything back', async () => {
        ids.bob = await claim(bob, domain)
        await delegate(domain, TO_SERVICE)
        expect(await verify(bob, ids.bob)).toMatchObject({ state: 'pending' })
        await hostElsewhere(domain, await proofValue(bob, ids.bob, 'txt'))
        const proved = await verify(bob, ids.bob)
        expect(proved).toMatchObject({ state: 'active', proof: 'txt', domains: 1, records: 1 })
        expect(await zoneOf(cleo, ids.cleo)).toMatchObject({ state: 'lost' })
        await delegate(domain, TO_SERVICE)
        expect((await verify(bob, ids.bob)).last_check?.is_right).toBe(true)
        await resolvesTo(unbound, domain, 'A', ['192.0.2.91'])
        await resolvesTo(unbound, domain, 'MX', ['10 bob.contested.com.'])
      })

      test('the owner deletes the zone, and nobody gets it without proof', async () => {
        const params = { path: { id: ids.bob } }
        const gone = await bob.api.DELETE('/api/zones/{id}', { params, body: { confirm: domain } })
        expect(gone.response.status).toBe(204)
        await eventually(
          () => statusAt(NS1.ipv4, domain),
          (status) => status === 'REFUSED',
        )
        const id = await claim(cleo, domain)
        expect(await verify(cleo, id)).toMatchObject({ state: 'pending', is_contested: true })
        expect(await resolve(unbound, domain, 'A')).toEqual([])
      })
    })
  },
)
