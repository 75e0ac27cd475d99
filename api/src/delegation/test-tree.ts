/**
 * A tree of name servers on loopback addresses, with faults on request:
 *
 *   .               root-a, root-b
 *   test.           a.nic.test, b.nic.test: the servers of the parent zone
 *   hoster.test.    ns.hoster.test: where `example.test` is hosted while it is elsewhere
 *   example.test.   ns1 and ns2: our own name servers
 */
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type DnsTestServer, startDnsServer } from '../../../test/dns-tree/dns-server.ts'
import type { DnsQuery, DnsReply, TextRecord } from '../../../test/dns-tree/message.ts'
import { answerFrom, soaOf, type Zones } from '../../../test/dns-tree/zone-answers.ts'
import { walkDelegation, type WalkRules } from './check.ts'
import type { RootServer } from '../rules/root-hints.ts'
import type { DelegationFindings, DelegationRequest } from './types.ts'

export const DOMAIN = 'example.test'
export const AT = {
  rootA: '127.53.0.1',
  rootB: '127.53.0.2',
  parentA: '127.53.0.11',
  parentB: '127.53.0.12',
  hoster: '127.53.0.21',
  ns1: '127.53.0.31',
  ns2: '127.53.0.32',
} as const
export type Place = keyof typeof AT

export const EXPECTED = [
  { hostname: `ns1.${DOMAIN}`, ipv4: AT.ns1 },
  { hostname: `ns2.${DOMAIN}`, ipv4: AT.ns2 },
]

/** Everything that a parent zone needs to delegate the domain right. */
export const RIGHT: readonly TextRecord[] = EXPECTED.flatMap(({ hostname, ipv4 }) => [
  [DOMAIN, 'NS', `${hostname}.`],
  [hostname, 'A', ipv4],
])
/** The domain is at the hoster. */
export const ELSEWHERE: readonly TextRecord[] = [[DOMAIN, 'NS', 'ns.hoster.test.']]

/** The zone `test` with a delegation of the domain. */
export const parentZone = (delegation: readonly TextRecord[]): Zones => ({
  test: [
    soaOf('test'),
    ['test', 'NS', 'a.nic.test.'],
    ['test', 'NS', 'b.nic.test.'],
    ['a.nic.test', 'A', AT.parentA],
    ['b.nic.test', 'A', AT.parentB],
    ['hoster.test', 'NS', 'ns.hoster.test.'],
    ['ns.hoster.test', 'A', AT.hoster],
    ...delegation,
  ],
})

const ROOT: Zones = {
  '': [
    soaOf(''),
    ['test', 'NS', 'a.nic.test.'],
    ['test', 'NS', 'b.nic.test.'],
    ['a.nic.test', 'A', AT.parentA],
    ['b.nic.test', 'A', AT.parentB],
  ],
}
export const ours = (): Zones => ({ [DOMAIN]: [soaOf(DOMAIN), ...RIGHT] })
export const hosterZones = (domainRecords: readonly TextRecord[] = []): Zones => ({
  'hoster.test': [
    soaOf('hoster.test'),
    ['hoster.test', 'NS', 'ns.hoster.test.'],
    ['ns.hoster.test', 'A', AT.hoster],
  ],
  [DOMAIN]: [soaOf(DOMAIN), [DOMAIN, 'NS', 'ns.hoster.test.'], ...domainRecords],
})

/** Changes or withholds a reply. */
export type Fault = (
  query: DnsQuery,
  right: DnsReply,
) => DnsReply | Buffer | undefined | Promise<DnsReply | Buffer | undefined>

export const dead: Fault = () => undefined

export interface TestTree {
  /** What a server serves; until the end of the test. */
  serve(place: Place, zones: Zones): void
  /** Both servers of the parent zone, which delegate the domain alike. */
  delegate(records: readonly TextRecord[]): void
  fault(place: Place, fault: Fault): void
  asked(place: Place): readonly DnsQuery[]
  check(
    request?: Partial<DelegationRequest>,
    rules?: Partial<WalkRules>,
  ): Promise<DelegationFindings>
  rules(): WalkRules
}

const usual = (): Record<Place, Zones> => ({
  rootA: ROOT,
  rootB: ROOT,
  parentA: parentZone(RIGHT),
  parentB: parentZone(RIGHT),
  hoster: hosterZones(),
  ns1: ours(),
  ns2: ours(),
})

/** Runs the tree during the tests of a file. Each test begins with a right delegation and without faults. */
export function useTestTree(): TestTree {
  const places = Object.keys(AT) as Place[]
  const servers = new Map<Place, DnsTestServer>()
  const faults = new Map<Place, Fault>()
  let zones = usual()

  beforeAll(async () => {
    let port = 0
    for (const place of places) {
      const respond = (query: DnsQuery) => {
        const right = answerFrom(zones[place], query)
        const fault = faults.get(place)
        return fault === undefined ? right : fault(query, right)
      }
      const server = await startDnsServer(AT[place], port, respond)
      port = server.port
      servers.set(place, server)
    }
  })
  afterEach(() => {
    zones = usual()
    faults.clear()
    for (const { asked } of servers.values()) asked.length = 0
  })
  afterAll(async () => {
    for (const server of servers.values()) await server.close()
  })

  const rules = (): WalkRules => {
    const port = servers.get('rootA')?.port ?? 0
    const roots: RootServer[] = [AT.rootA, AT.rootB].map((address) => ({
      hostname: 'root.invalid',
      address,
      port,
    }))
    return {
      roots,
      ours: { names: new Set(), addresses: new Set([AT.ns1, AT.ns2]) },
      objectionTo: () => undefined,
      portOf: () => port,
    }
  }
  return {
    rules,
    serve: (place, served) => void (zones[place] = served),
    delegate(records) {
      zones.parentA = parentZone(records)
      zones.parentB = parentZone(records)
    },
    fault: (place, fault) => void faults.set(place, fault),
    asked: (place) => servers.get(place)?.asked ?? [],
    check: (request = {}, replaced = {}) =>
      walkDelegation(
        { domain: DOMAIN, nameservers: EXPECTED, ...request },
        { ...rules(), ...replaced },
      ),
  }
}
