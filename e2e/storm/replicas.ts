/**
 * Two DNS daemons with one database under an update storm. They are killed one at a time: a client that tries both always gets
 * an answer. One of them loses PostgreSQL: it continues to answer from its copy of the zones and reports that it is behind.
 * At the end of each test both serve the same zone.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePorts } from '../../test/free-ports.ts'
import { byForm } from '../../test/test-form.ts'
import { addNames, signInAdministrator } from '../support/accounts.ts'
import { addressesOf, ask } from '../support/dns.ts'
import { type DnsWatch, watchDns } from '../support/dns-watch.ts'
import { Ledger } from '../support/ledger.ts'
import { type Cut, type Relay, startRelay } from '../support/relay.ts'
import { type Replica, startReplica } from '../support/replica.ts'
import { eventually, type Stack } from '../support/stack.ts'
import { type Owner, startStorm } from '../support/storm.ts'
import { embeddedUrl, publishedSerial } from '../support/tables.ts'

const ROUNDS = byForm({ short: 2, long: 5 })
const RESOLVERS = 4
const CLIENTS = 8
/** The least number of updates that the disconnected daemon misses. */
const MISSED = 300

/** @param service one without rate limits @param metricsPort the port of the metrics of its DNS daemon */
export function testReplicas(service: () => Stack, metricsPort: () => number): void {
  describe('two replicas', () => {
    let stack: Stack
    let relay: Relay
    let replica: Replica
    let metrics: { readonly own: number; readonly replica: number }
    let owner: Owner

    beforeAll(async () => {
      stack = service()
      const [other = 0, dns = 0] = await freePorts(2)
      metrics = { own: metricsPort(), replica: other }
      const names = Array.from({ length: 100 }, (_, n) => `host-${n}.homing.test`)
      const account = await signInAdministrator(stack)
      await addNames(account, names)
      owner = { ...account, names }
      relay = await startRelay(Number(new URL(embeddedUrl(stack.dataDir)).port))
      replica = startReplica(stack, { dns, metrics: other, database: relay.port })
      await eventually(() => isAnswering(dns), Boolean)
    })
    afterAll(async () => {
      await replica?.stop()
      await relay?.close()
    })

    const isAnswering = async (port: number) =>
      (await addressesOf(port, owner.names.at(-1) ?? '', 'A')).length === 1

    /** The state of the zone in a daemon: the serial of the feed, and a checksum of all records. */
    async function digestAt(port: number): Promise<{ serial: bigint; sha256: string }> {
      const response = await fetch(`http://127.0.0.1:${port}/zones/homing.test/digest`)
      const { serial, sha256 } = (await response.json()) as { serial: string; sha256: string }
      return { serial: BigInt(serial), sha256 }
    }

    const serialAt = async (port: number) => (await digestAt(port)).serial

    /** The state of the database connection in the replica's metrics. */
    async function sourceState(): Promise<string> {
      const page = await (await fetch(`http://127.0.0.1:${metrics.replica}/metrics`)).text()
      return /^homing_dnsd_source_state\{state="(\w+)"\} 1$/m.exec(page)?.[1] ?? 'none'
    }

    test('with one of two daemons killed at a time, every query gets an answer', async () => {
      const ledger = await Ledger.create(join(stack.dataDir, 'ledger-kills'))
      const storm = startStorm({
        url: stack.url,
        owners: [owner],
        ledger,
        seed: 2,
        clients: CLIENTS,
      })
      // After a failure, too: the other tests wait until nothing changes any more.
      onTestFinished(() => storm.end())
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
          await eventually(() => isAnswering(port), Boolean)
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
      await expectEqual()
    })

    /** Waits until each resolver has sent new queries, so that no query to a killed daemon is pending. */
    async function untilAllAsked(resolvers: readonly DnsWatch[]): Promise<void> {
      const asked = resolvers.map(({ counts }) => counts.asked)
      const hasAsked = async () =>
        resolvers.every(({ counts }, n) => counts.asked > (asked[n] ?? 0) + 1)
      await eventually(hasAsked, Boolean)
    }

    test.each<Cut>(['closed', 'silent'])('disconnected (%s) and reconnected', async (how) => {
      const ledger = await Ledger.create(join(stack.dataDir, `ledger-${how}`))
      const storm = startStorm({
        url: stack.url,
        owners: [owner],
        ledger,
        seed: 5,
        clients: CLIENTS,
      })
      onTestFinished(() => storm.end())
      const resolver = watchDns([replica.dnsPort], owner.names)
      const acknowledged = async () => storm.counts.acknowledged

      await relay.cut(how)
      const cutAt = await serialAt(metrics.replica)
      const before = await acknowledged()
      await eventually(acknowledged, (count) => count >= before + MISSED)
      await eventually(sourceState, (state) => state === 'away')
      const behind = await serialAt(metrics.replica)
      const missed = (await serialAt(metrics.own)) - behind
      // The daemon may still have received one or two change sets that were in flight when the connections ended.
      expect(missed).toBeGreaterThan(behind - cutAt)

      await relay.mend()
      const published = await serialAt(metrics.own)
      const mendedAt = performance.now()
      await eventually(
        () => serialAt(metrics.replica),
        (serial) => serial >= published,
      )
      const returnMs = Math.round(performance.now() - mendedAt)
      // Under the storm it alternates with `reading`.
      await eventually(sourceState, (state) => state === 'current')
      await storm.end()
      await ledger.close()
      await resolver.end()
      const { asked, failed } = resolver.counts
      process.stdout.write(
        `cut off (${how}): ${missed} change sets behind, back after ${returnMs} ms; ${asked} questions meanwhile, ${failed.length} failed; ${storm.counts.acknowledged} updates\n`,
      )
      expect(failed).toEqual([])
      expect(storm.counts.wrong).toEqual([])
      await expectEqual()
    })

    /** Same serial, same checksum, same answers. */
    async function expectEqual(): Promise<void> {
      // No client sends updates now. Wait for the last serial: two daemons that are equally behind would advance at different times.
      const serial = await publishedSerial(embeddedUrl(stack.dataDir), 'homing.test')
      const [own, other] = await eventually(
        () => Promise.all([digestAt(metrics.own), digestAt(metrics.replica)]),
        (digests) => digests.every((digest) => String(digest.serial) === serial),
      )
      expect(other).toEqual(own)
      for (const name of owner.names) {
        for (const type of ['A', 'AAAA', 'SOA'] as const) {
          const ports = [stack.dnsPort, replica.dnsPort]
          const [one, two] = await Promise.all(ports.map((port) => ask(port, name, type)))
          expect(two).toEqual(one)
        }
      }
    }
  })
}
