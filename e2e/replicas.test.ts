/**
 * Two DNS daemons with one database, killed one at a time while domains change: a
 * client that tries both always gets an answer, and both end with the same zone.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePorts } from '../test/free-ports.ts'
import { byForm } from '../test/test-form.ts'
import { addNames, signInAdministrator } from './support/accounts.ts'
import { addressesOf, ask } from './support/dns.ts'
import { type DnsWatch, watchDns } from './support/dns-watch.ts'
import { Ledger } from './support/ledger.ts'
import { type Replica, startReplica } from './support/replica.ts'
import { eventually, type Stack, startStack, temporaryDataDir } from './support/stack.ts'
import { type Owner, startStorm } from './support/storm.ts'
import { embeddedUrl, publishedSerial } from './support/tables.ts'

const ROUNDS = byForm({ short: 2, long: 5 })
const CLIENTS = 8
const RESOLVERS = 4

const folder = temporaryDataDir()
let stack: Stack
let replica: Replica
let metricsPorts: number[]
let owner: Owner

beforeAll(async () => {
  metricsPorts = await freePorts(3)
  const [own = 0, metrics = 0, dns = 0] = metricsPorts.splice(0, 3)
  metricsPorts = [own, metrics]
  const env = { RATE_LIMITS: 'off', DNS_METRICS_PORT: String(own) }
  stack = await startStack({ dataDir: folder.path, env })
  const names = Array.from({ length: 100 }, (_, n) => `host-${n}.homing.test`)
  const account = await signInAdministrator(stack)
  await addNames(account, names)
  owner = { ...account, names }
  replica = startReplica(stack, { dns, metrics })
  await eventually(() => isAnswering(dns), Boolean, 30_000)
})
afterAll(async () => {
  await replica?.stop()
  await stack?.stop()
  folder.remove()
})

const isAnswering = async (port: number) =>
  (await addressesOf(port, owner.names.at(-1) ?? '', 'A')).length === 1

/** The state of the zone in a daemon: its serial, and a checksum of all records. */
async function digestAt(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/zones/homing.test/digest`)).text()
}

test('with one of two daemons killed at a time, every query gets an answer', async () => {
  const ledger = await Ledger.create(join(folder.path, 'ledger'))
  const storm = startStorm({ url: stack.url, owners: [owner], ledger, seed: 2, clients: CLIENTS })
  const ports = [stack.dnsPort, replica.dnsPort]
  const resolvers = Array.from({ length: RESOLVERS }, () => watchDns(ports, owner.names))
  const daemons = [
    { port: stack.dnsPort, pid: () => stack.pidOf('dnsd') },
    { port: replica.dnsPort, pid: () => replica.pid() },
  ]
  let kills = 0
  for (let round = 0; round < ROUNDS; round++) {
    for (const { port, pid } of daemons) {
      const acknowledged = storm.counts.acknowledged
      process.kill(pid(), 'SIGKILL')
      kills += 1
      await eventually(() => isAnswering(port), Boolean, 30_000)
      // The zone has changed since the kill: the daemon has read the changes, not only its snapshot.
      await eventually(
        async () => storm.counts.acknowledged,
        (count) => count > acknowledged + CLIENTS,
      )
      await untilAllAsked(resolvers)
    }
  }
  await Promise.all(resolvers.map((resolver) => resolver.end()))
  await storm.end()
  await ledger.close()
  const asked = resolvers.reduce((sum, { counts }) => sum + counts.asked, 0)
  const failed = resolvers.flatMap(({ counts }) => counts.failed)
  process.stdout.write(
    `two replicas: ${asked} questions, ${kills} kills, ${failed.length} failed answers, ${storm.counts.acknowledged} updates meanwhile\n`,
  )
  expect(failed).toEqual([])
  expect(storm.counts.wrong).toEqual([])
  await expectEqual(ports)
})

/** Waits until each resolver has sent new queries, so that no query to a killed daemon is pending. */
async function untilAllAsked(resolvers: readonly DnsWatch[]): Promise<void> {
  const asked = resolvers.map(({ counts }) => counts.asked)
  const hasAsked = async () =>
    resolvers.every(({ counts }, n) => counts.asked > (asked[n] ?? 0) + 1)
  await eventually(hasAsked, Boolean)
}

async function expectEqual(ports: readonly number[]): Promise<void> {
  const [own = 0, other = 0] = metricsPorts
  // No client sends updates now. Wait for the last serial: two daemons that are equally behind would advance at different times.
  const serial = await publishedSerial(embeddedUrl(folder.path), 'homing.test')
  const wanted = await eventually(
    async () => [await digestAt(own), await digestAt(other)],
    ([one, two]) => one === two && one?.includes(`"serial":"${serial}"`) === true,
  )
  expect(wanted[0]).toContain('"sha256":')
  for (const name of owner.names) {
    for (const type of ['A', 'AAAA', 'SOA'] as const) {
      const [one, two] = await Promise.all(ports.map((port) => ask(port, name, type)))
      expect(one).toEqual(two)
    }
  }
}
