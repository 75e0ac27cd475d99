/**
 * Checks of delegations from the root, over UDP and TCP on loopback addresses: all servers alive, and one of the two
 * servers of the parent zone dead, which must not make a check longer than 5 seconds.
 */
import { walkDelegation, type WalkRules } from '@homing/api/delegation'
import { type DnsTestServer, startDnsServer } from '../test/dns-tree/dns-server.ts'
import type { TextRecord } from '../test/dns-tree/message.ts'
import { answerFrom, soaOf, type Zones } from '../test/dns-tree/zone-answers.ts'
import { atMost, report } from './support/report.ts'
import { median } from './support/rounds.ts'

const ROUNDS = 20
const DEAD_ROUNDS = 5
const AT_ONCE = 8
const LIMIT_SECONDS = 5
const DOMAIN = 'shop.test'
const ROOT = '127.54.0.1'
const PARENTS = { 'a.nic.test': '127.54.0.2', 'b.nic.test': '127.54.0.3' }
const OURS = { [`ns1.${DOMAIN}`]: '127.54.0.4', [`ns2.${DOMAIN}`]: '127.54.0.5' }

const serversOf = (zone: string, servers: Readonly<Record<string, string>>): TextRecord[] =>
  Object.entries(servers).flatMap(([hostname, address]): TextRecord[] => [
    [zone, 'NS', `${hostname}.`],
    [hostname, 'A', address],
  ])
const zonesAt: Readonly<Record<string, Zones>> = {
  [ROOT]: { '': [soaOf(''), ...serversOf('test', PARENTS)] },
  ...Object.fromEntries(
    Object.values(PARENTS).map((address) => [
      address,
      { test: [soaOf('test'), ...serversOf('test', PARENTS), ...serversOf(DOMAIN, OURS)] },
    ]),
  ),
  ...Object.fromEntries(
    Object.values(OURS).map((address) => [
      address,
      { [DOMAIN]: [soaOf(DOMAIN), ...serversOf(DOMAIN, OURS)] },
    ]),
  ),
}

const dead = new Set<string>()
const servers: DnsTestServer[] = []
for (const [address, zones] of Object.entries(zonesAt)) {
  const respond: Parameters<typeof startDnsServer>[2] = (query) =>
    dead.has(address) ? undefined : answerFrom(zones, query)
  servers.push(await startDnsServer(address, servers[0]?.port ?? 0, respond))
}
const port = servers[0]?.port ?? 0
const rules: WalkRules = {
  roots: [{ hostname: 'root', address: ROOT, port }],
  ours: { names: new Set(), addresses: new Set(Object.values(OURS)) },
  objectionTo: () => undefined,
  portOf: () => port,
}
const nameservers = Object.entries(OURS).map(([hostname, ipv4]) => ({ hostname, ipv4 }))

/** @returns how long a check took, in milliseconds */
async function checkMs(): Promise<number> {
  const begun = performance.now()
  const { check } = await walkDelegation({ domain: DOMAIN, nameservers }, rules)
  if (!check.is_right) throw new Error(`The check is wrong: ${JSON.stringify(check)}`)
  return performance.now() - begun
}

async function rounds(count: number): Promise<number[]> {
  const taken: number[] = []
  for (let round = 0; round < count; round += 1) taken.push(await checkMs())
  return taken
}

await checkMs()
for (const { asked } of servers) asked.length = 0
await checkMs()
const queries = servers.reduce((sum, { asked }) => sum + asked.length, 0)
const alive = await rounds(ROUNDS)
const together = Math.max(...(await Promise.all(Array.from({ length: AT_ONCE }, checkMs))))
dead.add(PARENTS['b.nic.test'])
const withDead = await rounds(DEAD_ROUNDS)
for (const server of servers) await server.close()

const longestSeconds = Math.max(...withDead) / 1_000
report(
  'delegation',
  [
    { what: 'queries of a check', value: queries, unit: '' },
    { what: 'check, all servers alive: median', value: median(alive), unit: 'ms' },
    { what: `the longest of ${AT_ONCE} checks at once`, value: together, unit: 'ms' },
    { what: 'check, one parent server dead: median', value: median(withDead), unit: 'ms' },
    { what: 'check, one parent server dead: longest', value: longestSeconds * 1_000, unit: 'ms' },
  ],
  [atMost('check with a dead parent server, seconds', longestSeconds, LIMIT_SECONDS)],
)
