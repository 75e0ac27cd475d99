/**
 * Own zones and vanity name servers below a fake root, with registries and a hoster. The test is the owner of the domains, who
 * changes delegations at the registrar, and the service finds out.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import type { Account } from '../support/accounts.ts'
import type { Delegation } from '../support/dns-tree/tree.ts'
import { messagesTo } from '../support/mailbox.ts'
import {
  addDomain,
  addRecord,
  claimZone,
  deleteZone,
  type OwnZone,
  proofOf,
  readZone,
  setUpVanity,
  vanityStatus,
  verifyVanity,
  verifyZone,
} from '../support/zone-calls.ts'
import { eventually, ROOT, temporaryDataDir } from '../support/stack.ts'
import { embeddedUrl } from '../support/tables.ts'
import { startUnbound, type Unbound } from '../support/unbound.ts'
import { NS1, NS2, TO_SERVICE, toVanity, type VanityWorld } from '../support/vanity-world.ts'

const TOOLS = needs('root', 'ip', 'nsenter', 'dig', 'unbound', 'unbound-control')
const ZONE = 'brand.com'
const RIGHT = toVanity(ZONE)
const HOSTER = 'ns.hoster.com'
const AWAY: Delegation = { nameservers: [HOSTER] }
/** Of one run of dig. */
const QUESTIONS = 100
const DS = `12345 13 2 ${'00112233'.repeat(8)}`

const folder = temporaryDataDir()
let world: VanityWorld
let unbound: Unbound
let ada: Account

const delegate = (domain: string, delegation: Delegation) =>
  world.tree.registrar.delegate(domain, delegation)

/** The response code of a name server of the service for a domain. */
async function statusOf(domain: string): Promise<string> {
  const text = await world.namespace.run('dig', `@${NS1.ipv4}`, '+norecurse', domain, 'SOA')
  return /status: (\w+)/.exec(text)?.[1] ?? text
}
const untilStatus = (domain: string, wanted: string) =>
  eventually(
    () => statusOf(domain),
    (status) => status === wanted,
  )

/**
 * Asks a name server for the SOA record without a pause while something changes, until the serial has changed.
 *
 * @returns the response codes and serials
 */
async function asked(domain: string, change: () => Promise<unknown>) {
  const file = join(folder.path, 'questions')
  writeFileSync(file, `${domain} SOA +norecurse +tries=1\n`.repeat(QUESTIONS))
  const codes: string[] = []
  const serials: number[] = []
  const ask = async () => {
    const text = await world.namespace.run('dig', `@${NS1.ipv4}`, '-f', file)
    codes.push(...[...text.matchAll(/status: (\w+)/g)].map(([, code = '']) => code))
    serials.push(...[...text.matchAll(/\sSOA\s\S+ \S+ (\d+) /g)].map(([, n]) => Number(n)))
  }
  // A question without an answer is an error of dig. The time limit of the test is that of the loop.
  const askUntilChanged = async () => {
    do await ask()
    while (serials[0] === serials.at(-1))
  }
  await ask()
  await Promise.all([change(), askUntilChanged()])
  return { codes, serials }
}

/** Claims a domain and waits until DNS answers for it. @returns the id of the claim */
async function claim(account: Account, domain: string, uses_vanity = false): Promise<string> {
  const { id } = await claimZone(account, { domain, uses_vanity })
  await untilStatus(domain, 'NOERROR')
  return id
}

/** The domain is hosted elsewhere, with the TXT record that proves a claim. */
async function proveByTxt(account: Account, domain: string, id: string): Promise<OwnZone> {
  const { name, value } = await proofOf(account, id, 'txt')
  await world.tree.host(domain, [[name, 'TXT', `"${value}"`]])
  await delegate(domain, AWAY)
  return verifyZone(account, id)
}

/** What Unbound resolves from the root, with an empty cache. */
async function resolve(name: string, type: string): Promise<string[]> {
  await unbound.flush()
  const words = [`@${unbound.address}`, '+time=30', '+tries=1', '+short', name, type]
  const text = await world.namespace.run('dig', ...words)
  return text.split('\n').filter((line) => line !== '')
}
const resolvesTo = (name: string, type: string, ...values: readonly string[]) =>
  eventually(
    () => resolve(name, type),
    (found) => found.toSorted().join() === values.toSorted().join(),
  )

const getsMail = ({ username }: Account, subject: string) =>
  eventually(
    () => messagesTo(world.stack.dataDir, `${username}@mail.example`),
    (messages) => messages.some((message) => message.subject === `Homing: ${subject}`),
  )

/** Makes it the time of what the service does with a claim by itself. */
async function makeDue(id: string, column: 'next_check_at' | 'withheld_at'): Promise<void> {
  const script = join(ROOT, 'e2e/support/run-sql.ts')
  const sql = `update zone_claims set ${column} = now() where id = ${Number(id)}`
  await world.namespace.run(process.execPath, script, embeddedUrl(world.stack.dataDir), sql)
}

/** The delegation with other addresses of one name server. */
function wrong(label: string, ...addresses: readonly string[]): Delegation {
  return toVanity(ZONE, { [`${label}.${ZONE}`]: addresses })
}

/** @param opened a world without the domains of the journey */
export function testJourney(opened: () => VanityWorld): void {
  beforeAll(async () => {
    if (TOOLS.skip === true) return
    world = opened()
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
    folder.remove()
  })

  describe('set-up of vanity name servers', TOOLS, () => {
    test('DNS answers for the domain before it is delegated, with SOA, NS and glue', async () => {
      const { nameservers } = await setUpVanity(ada, ZONE)
      expect(nameservers).toEqual({
        ns1: { hostname: `ns1.${ZONE}`, ip: NS1.ipv4, ipv6: NS1.ipv6 },
        ns2: { hostname: `ns2.${ZONE}`, ip: NS2.ipv4, ipv6: null },
      })
      await untilStatus(ZONE, 'NOERROR')
      const ask = (...words: string[]) =>
        world.namespace.run('dig', `@${NS2.ipv4}`, '+norecurse', '+short', ...words)
      expect((await ask(ZONE, 'NS')).trim().split('\n').toSorted()).toEqual(
        RIGHT.nameservers.map((name) => `${name}.`),
      )
      expect(await ask(ZONE, 'SOA')).toMatch(new RegExp(`^ns1\\.${ZONE}\\. `))
      expect(await ask(`ns1.${ZONE}`, 'AAAA')).toBe(`${NS1.ipv6}\n`)
    })

    test.each<[string, Delegation | undefined, string, string]>([
      ['it is not delegated', undefined, 'delegated', 'does not delegate brand.com'],
      ['it has other name servers', AWAY, 'names', HOSTER],
      ['there is no glue', { nameservers: RIGHT.nameservers }, 'glue', `ns1.${ZONE}`],
      ['an IPv4 address is wrong', wrong('ns2', '192.0.2.200'), 'ipv4', '192.0.2.200'],
      ['an IPv6 address is wrong', wrong('ns1', NS1.ipv4, '2001:db8::99'), 'ipv6', '2001:db8::99'],
      ['there is a DS record', { ...RIGHT, ds: DS }, 'no-ds', 'has a DS record'],
    ])('%s', async (_name, delegation, fact, words) => {
      if (delegation !== undefined) await delegate(ZONE, delegation)
      const { status, message, zone } = await verifyVanity(ada)
      expect([status, message]).toEqual([
        'pending',
        'Verification failed. Please check your glue records.',
      ])
      const first = zone.last_check?.facts.find(({ state }) => state === 'wrong')
      expect(first).toMatchObject({ fact, message: expect.stringContaining(words) })
    })

    test('our servers do not answer', async () => {
      await delegate(ZONE, RIGHT)
      const daemon = world.stack.pidOf('dnsd')
      process.kill(daemon, 'SIGSTOP')
      const { status, zone } = await verifyVanity(ada).finally(() =>
        process.kill(daemon, 'SIGCONT'),
      )
      const rest = zone.last_check?.facts.filter(({ state }) => state !== 'right')
      expect([status, rest?.map(({ fact, state }) => [fact, state])]).toEqual([
        'pending',
        [['authoritative', 'wrong']],
      ])
    })

    test('the servers of the registry differ', async () => {
      await world.tree.differ('b.nic.com', ZONE, AWAY)
      const { last_check: check } = (await verifyVanity(ada)).zone
      expect(check?.facts.find(({ state }) => state === 'wrong')?.fact).toBe('names')
      expect(check?.parent_servers.map(({ server, nameservers }) => [server, nameservers])).toEqual(
        [
          ['a.nic.com', RIGHT.nameservers],
          ['b.nic.com', AWAY.nameservers],
        ],
      )
      await world.tree.differ('b.nic.com', ZONE, undefined)
    })

    test('without the IPv6 glue, the name servers work, and the fact is incomplete', async () => {
      await delegate(ZONE, toVanity(ZONE, { [`ns1.${ZONE}`]: [NS1.ipv4] }))
      const { status, message, zone } = await verifyVanity(ada)
      expect([status, message, zone.state, zone.proof]).toEqual([
        'verified',
        'Verification successful! Your vanity nameservers are now active.',
        'active',
        'delegation',
      ])
      const rest = zone.last_check?.facts.filter(({ state }) => state !== 'right')
      expect(rest).toMatchObject([{ fact: 'ipv6', state: 'incomplete' }])
      await delegate(ZONE, RIGHT)
    })

    test('everything is right', async () => {
      const { status, zone } = await verifyVanity(ada)
      const states = zone.last_check?.facts.map(({ state }) => state)
      expect([status, new Set(states)]).toEqual(['verified', new Set(['right'])])
      expect(await vanityStatus(ada)).toMatchObject({
        configured: true,
        verified: true,
        verification_pending: false,
      })
      await getsMail(ada, 'Your vanity name servers work')
    })

    test('a check names a dead server of the registry', async () => {
      await world.tree.setDead('b.nic.com', true)
      const begin = performance.now()
      const { status, zone } = await verifyVanity(ada)
      const tookMs = Math.round(performance.now() - begin)
      await world.tree.setDead('b.nic.com', false)
      process.stdout.write(`verification with a dead parent server: ${tookMs} ms\n`)
      const outcomes = zone.last_check?.parent_servers.map(({ outcome }) => outcome)
      expect([status, outcomes]).toEqual(['verified', ['delegates', 'no-answer']])
    })
  })

  describe('an own zone', TOOLS, () => {
    test('Unbound resolves domains and mail in it, from the root', async () => {
      const { zone } = await vanityStatus(ada)
      await addRecord(ada, zone?.id ?? '', { owner: '@', type: 'MX', values: [`10 mail.${ZONE}.`] })
      for (const fqdn of [ZONE, `www.${ZONE}`]) await addDomain(ada, fqdn, ZONE, '192.0.2.80')
      await ada.api.POST('/api/domains/wildcard', { body: { base_fqdn: `www.${ZONE}` } })
      const mail = await resolvesTo(ZONE, 'MX', `10 mail.${ZONE}.`)
      expect(mail).toHaveLength(1)
      await resolvesTo(ZONE, 'A', '192.0.2.80')
      await resolvesTo(`any.www.${ZONE}`, 'A', '192.0.2.80')
      await resolvesTo(`ns1.${ZONE}`, 'AAAA', NS1.ipv6)
    })

    test('a router updates a domain in it', async () => {
      const url = `${world.stack.url}/nic/update?hostname=www.${ZONE}&myip=192.0.2.82`
      const authorization = `Basic ${btoa(`${ada.username}:${ada.password}`)}`
      const answer = await fetch(url, { headers: { authorization } })
      expect((await answer.text()).trim()).toBe('good 192.0.2.82')
      await resolvesTo(`www.${ZONE}`, 'A', '192.0.2.82')
    })

    test('another zone uses the name servers, which then cannot be removed', async () => {
      const domain = 'brand.org'
      const id = await claim(ada, domain, true)
      await delegate(domain, { nameservers: RIGHT.nameservers })
      expect(await verifyZone(ada, id)).toMatchObject({ state: 'active', proof: 'delegation' })
      await addDomain(ada, domain, domain, '192.0.2.81')
      await resolvesTo(domain, 'A', '192.0.2.81')

      const { zones_count, zone } = await vanityStatus(ada)
      expect(zones_count).toBe(1)
      const { error } = await ada.api.DELETE('/api/vanity-ns')
      expect(error).toMatchObject({ code: 'conflict', detail: expect.stringContaining(domain) })
      expect(await deleteZone(ada, zone?.id ?? '', ZONE)).toBe(409)

      expect(await deleteZone(ada, id, ZONE)).toBe(422)
      expect(await deleteZone(ada, id, domain)).toBe(204)
      await untilStatus(domain, 'REFUSED')
      const { data: domains = [] } = await ada.api.GET('/api/domains')
      expect(domains.map(({ fqdn }) => fqdn)).not.toContain(domain)
    })

    test('without the vanity name servers, it has those of the service', async () => {
      const { zone } = await vanityStatus(ada)
      expect((await ada.api.DELETE('/api/vanity-ns')).response.status).toBe(204)
      await delegate(ZONE, TO_SERVICE)
      const { state, nameservers, last_check } = await verifyZone(ada, zone?.id ?? '')
      expect([state, last_check?.is_right]).toEqual(['active', true])
      expect(nameservers.map(({ hostname }) => hostname)).toEqual(TO_SERVICE.nameservers)
      await resolvesTo(ZONE, 'NS', ...TO_SERVICE.nameservers.map((name) => `${name}.`))
      await resolvesTo(ZONE, 'MX', `10 mail.${ZONE}.`)
    })

    test('the service finds a right delegation by itself', async () => {
      const domain = 'found.com'
      const id = await claim(ada, domain)
      await delegate(domain, TO_SERVICE)
      await makeDue(id, 'next_check_at')
      await getsMail(ada, `Your zone ${domain} works`)
      expect(await readZone(ada, id)).toMatchObject({ state: 'active', proof: 'delegation' })
    })
  })

  test(
    'a smaller plan withholds the zone after 30 days, and a larger one serves it again',
    TOOLS,
    async () => {
      const domain = 'smaller.com'
      const dora = await world.eliteAccount('dora')
      const id = await claim(dora, domain)
      await delegate(domain, TO_SERVICE)
      expect(await verifyZone(dora, id)).toMatchObject({ state: 'active' })
      await addDomain(dora, domain, domain, '192.0.2.93')
      await resolvesTo(domain, 'A', '192.0.2.93')
      await world.choosePlan(dora, 'pro')
      await eventually(
        () => readZone(dora, id),
        ({ withheld_at }) => withheld_at !== null,
      )
      await resolvesTo(domain, 'A', '192.0.2.93')
      await makeDue(id, 'withheld_at')
      await world.choosePlan(dora, 'free')
      await untilStatus(domain, 'REFUSED')
      expect(await readZone(dora, id)).toMatchObject({ state: 'withheld', domains: 1 })
      await world.choosePlan(dora, 'elite')
      await untilStatus(domain, 'NOERROR')
      expect(await readZone(dora, id)).toMatchObject({ state: 'active', withheld_at: null })
      await resolvesTo(domain, 'A', '192.0.2.93')
    },
  )

  describe('two accounts claim a domain', TOOLS, () => {
    const domain = 'contested.com'
    const ids = { bob: '', cleo: '' }
    let bob: Account
    let cleo: Account

    beforeAll(async () => {
      bob = await world.eliteAccount('bob')
      cleo = await world.eliteAccount('cleo')
    })

    test('the delegation proves neither of two live claims, and a TXT record proves one', async () => {
      const both = 'both.com'
      const [ofBob, ofCleo] = [await claim(bob, both), await claim(cleo, both)]
      await delegate(both, TO_SERVICE)
      for (const [account, id] of [
        [bob, ofBob],
        [cleo, ofCleo],
      ] as const) {
        const { state, is_contested, last_check } = await verifyZone(account, id)
        expect([state, is_contested, last_check?.is_right]).toEqual(['pending', true, true])
      }
      expect(await proveByTxt(cleo, both, ofCleo)).toMatchObject({ state: 'active', proof: 'txt' })
      expect(await verifyZone(bob, ofBob)).toMatchObject({ state: 'pending', is_contested: true })
    })

    test('a domain that is delegated already needs another proof', async () => {
      ids.bob = await claim(bob, domain)
      await delegate(domain, TO_SERVICE)
      expect(await verifyZone(bob, ids.bob)).toMatchObject({ state: 'active', proof: 'delegation' })
      await addDomain(bob, domain, domain, '192.0.2.91')
      await addRecord(bob, ids.bob, { owner: '@', type: 'MX', values: ['10 bob.contested.com.'] })
      ids.cleo = await claim(cleo, domain)
      expect(await verifyZone(cleo, ids.cleo)).toMatchObject({
        state: 'pending',
        is_contested: true,
      })
      await resolvesTo(domain, 'A', '192.0.2.91')
    })

    test('a third name server proves it, and the former owner loses the zone', async () => {
      const third = (await proofOf(cleo, ids.cleo, 'ns')).value.slice(0, -1)
      expect(third).toMatch(/^\w+\.verify\.homing\.test$/)
      await delegate(domain, { nameservers: [...TO_SERVICE.nameservers, third] })
      // Resolvers may ask the third name server, too.
      await resolvesTo(third, 'A', NS1.ipv4, NS2.ipv4)
      const { codes, serials } = await asked(domain, async () => {
        expect(await verifyZone(cleo, ids.cleo)).toMatchObject({ state: 'active', proof: 'ns' })
      })
      // The other zone replaces the former one at once, and secondaries see a higher serial.
      expect(new Set(codes)).toEqual(new Set(['NOERROR']))
      expect(serials).toHaveLength(codes.length)
      expect(serials).toEqual(serials.toSorted((one, other) => one - other))
      expect(await readZone(bob, ids.bob)).toMatchObject({ state: 'lost', domains: 0, records: 0 })
      await getsMail(bob, `Another account proved that it owns ${domain}`)
      await resolvesTo(domain, 'A')
      await resolvesTo(domain, 'MX')
      await addDomain(cleo, domain, domain, '192.0.2.92')
      await resolvesTo(domain, 'A', '192.0.2.92')
      const { data: domains = [] } = await bob.api.GET('/api/domains')
      expect(domains.map(({ fqdn }) => fqdn)).not.toContain(domain)
    })

    test('the former owner proves it again, and gets everything back', async () => {
      ids.bob = await claim(bob, domain)
      await delegate(domain, TO_SERVICE)
      expect(await verifyZone(bob, ids.bob)).toMatchObject({ state: 'pending' })
      expect(await proveByTxt(bob, domain, ids.bob)).toMatchObject({
        state: 'active',
        proof: 'txt',
        domains: 1,
        records: 1,
      })
      expect(await readZone(cleo, ids.cleo)).toMatchObject({ state: 'lost' })
      await delegate(domain, TO_SERVICE)
      await eventually(
        () => verifyZone(bob, ids.bob),
        ({ last_check }) => last_check?.is_right === true,
      )
      await resolvesTo(domain, 'A', '192.0.2.91')
      await resolvesTo(domain, 'MX', '10 bob.contested.com.')
    })

    test('the owner deletes the zone, and nobody gets it without proof', async () => {
      expect(await deleteZone(bob, ids.bob, domain)).toBe(204)
      await untilStatus(domain, 'REFUSED')
      const id = await claim(cleo, domain)
      expect(await verifyZone(cleo, id)).toMatchObject({ state: 'pending', is_contested: true })
      await resolvesTo(domain, 'A')
    })
  })
}
