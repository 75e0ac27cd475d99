/*
 * Hostile packets, 250,000 in `make test` and a million with `TEST_FORM=long`. This process answers most of them, with
 * the pipeline as UDP and TCP use it; a daemon in a separate process answers the others over sockets. The same seeds
 * give the same packets each time; `main.ts` sends others, and any number of them.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { byForm } from '../../../test/test-form.ts'
import { serveInProcess, type ServingDaemon } from '../support/serving-daemon.ts'
import { runCampaign } from './campaign.ts'
import { runDaemonCampaign } from './daemon-campaign.ts'
import { readSeeds } from './seeds.ts'
import { bothWays, HONEST_NAME, pipelineFor, told } from './subjects.ts'
import { runTcpCampaign } from './tcp-campaign.ts'
import { fuzzZones } from './zone.ts'

const seeds = readSeeds()
let daemon: ServingDaemon

beforeAll(async () => {
  daemon = await serveInProcess(fuzzZones, { RATE_LIMITS: 'off', LOG_LEVEL: 'error' })
})
afterAll(() => daemon.stop())

it.each([
  ['udp', byForm({ short: 110_000, long: 680_000 })],
  ['tcp', byForm({ short: 35_000, long: 200_000 })],
] as const)('over %s what can be read is answered, all else refused', (transport, packets) => {
  const { answer, judge } = transport === 'udp' ? bothWays() : pipelineFor(transport)
  const startedAt = performance.now()
  const report = runCampaign({ seed: 1, packets, seeds, answer, judge })
  told(`in process, ${transport}`, report, performance.now() - startedAt)
  expect(report.faults).toEqual([])
  expect(report.packets).toBe(packets)
})

it('a daemon answers valid queries over TCP, next to invalid streams', async () => {
  const { port } = daemon
  const startedAt = performance.now()
  const packets = byForm({ short: 2_500, long: 10_000 })
  const campaign = { seed: 3, packets, seeds, port, honestName: HONEST_NAME }
  const report = await runTcpCampaign(campaign)
  told('over TCP', report, performance.now() - startedAt)
  expect(report.faults).toEqual([])
})

it('a daemon stays the same process, without faults, and answers', async () => {
  const { port, process: child } = daemon
  const pid = child.pid ?? 0
  const startedAt = performance.now()
  const packets = byForm({ short: 27_500, long: 110_000 })
  const campaign = { seed: 2, packets, seeds, port, pid, honestName: HONEST_NAME }
  const report = await runDaemonCampaign(campaign)
  told('over sockets', report, performance.now() - startedAt)
  expect(report.faults).toEqual([])
  expect(report.packets).toBeGreaterThanOrEqual(packets)
  expect(report.grownMiB).toBeLessThan(64)
  // The daemon did not end, replaced no thread and had no fault: each of these would be an error in its log.
  expect([child.exitCode, child.signalCode, daemon.log()]).toEqual([null, null, ''])
})
