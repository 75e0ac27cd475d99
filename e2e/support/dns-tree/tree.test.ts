/** The tree itself: Unbound resolves through it, and it has the faults that it is asked for. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../../../test/outside-tool.ts'
import { temporaryDataDir } from '../stack.ts'
import { startUnbound, type Unbound } from '../unbound.ts'
import { createDnsWorld, type DnsWorld } from './tree.ts'

const WORLD = needs('root', 'ip', 'nsenter', 'dig', 'unbound')
const DOMAIN = 'shop.example'
const folder = temporaryDataDir()
let world: DnsWorld
let resolver: Unbound

beforeAll(async () => {
  world = await createDnsWorld()
  resolver = await startUnbound({
    namespace: world.service,
    folder: join(folder.path, 'unbound'),
    rootHints: world.tree.rootHints,
    topLevel: 'example',
  })
})
afterAll(async () => {
  await resolver?.stop()
  await world?.close()
  folder.remove()
})

const dig = (server: string, ...words: string[]) =>
  world.service.run(
    'dig',
    `@${server}`,
    '+time=3',
    '+tries=1',
    '+norec',
    '+noall',
    '+answer',
    '+authority',
    '+additional',
    ...words,
  )
// One try: dig would print that an earlier one had no answer.
const resolve = (name: string) =>
  world.service.run('dig', `@${resolver.address}`, '+time=30', '+tries=1', '+short', name, 'A')

test(
  'Unbound resolves a domain at the hoster, also with a dead server of the registry',
  WORLD,
  async () => {
    const { tree } = world
    await tree.host(DOMAIN, [[`www.${DOMAIN}`, 'A', '203.0.113.7']])
    await tree.registrar.delegate(DOMAIN, { nameservers: [tree.hoster.hostname] })
    await tree.setDead('b.nic.example', true)
    expect(await resolve(`www.${DOMAIN}`)).toBe('203.0.113.7\n')
    await expect(dig('10.99.1.2', DOMAIN, 'NS')).rejects.toThrow(/Command failed/)
    await tree.setDead('b.nic.example', false)
  },
)

test(
  'the registrar changes name servers, glue and DS, at one server or at both',
  WORLD,
  async () => {
    const { tree } = world
    const ns1 = `ns1.${DOMAIN}`
    const ds = `12345 13 2 ${'AB'.repeat(32)}`
    await tree.registrar.delegate(DOMAIN, {
      nameservers: [ns1],
      glue: { [ns1]: ['10.99.8.1', '2001:db8::1'] },
      ds,
    })
    await tree.differ('b.nic.example', DOMAIN, { nameservers: ['ns.elsewhere.test'] })
    const first = await dig('10.99.1.1', DOMAIN, 'NS')
    expect(first).toMatch(/NS\s+ns1\.shop\.example\.\n.*A\s+10\.99\.8\.1\n.*AAAA\s+2001:db8::1\n/s)
    expect(await dig('10.99.1.1', DOMAIN, 'DS')).toContain('12345 13 2')
    expect(await dig('10.99.1.2', DOMAIN, 'NS')).toMatch(/NS\s+ns\.elsewhere\.test\./)
    await tree.differ('b.nic.example', DOMAIN, undefined)
    expect(await dig('10.99.1.2', DOMAIN, 'NS')).toContain(ns1)
    await tree.registrar.remove(DOMAIN)
    expect(await dig('10.99.1.1', DOMAIN, 'NS')).toMatch(/^example\..*SOA/m)
  },
)
