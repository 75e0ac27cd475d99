/*
 * A million packets that nobody means well with, in CI: most of them answered in this process, by the
 * pipeline as UDP and as TCP use it, the others by a daemon of its own over sockets. The same seeds
 * give the same packets each time; `main.ts` goes on with others for as long as it is let.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
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
  ['udp', 680_000],
  ['tcp', 200_000],
] as const)('over %s what can be read is answered, all else refused', (transport, packets) => {
  const { answer, judge } = transport === 'udp' ? bothWays() : pipelineFor(transport)
  const startedAt = performance.now()
  const report = runCampaign({ seed: 1, packets, seeds, answer, judge })
  told(`in process, ${transport}`, report, performance.now() - startedAt)
  expect(report.faults).toEqual([])
  expect(report.packets).toBe(packets)
})

it('a daemon answers over TCP what can be read, beside streams that cannot', async () => {
  const { port } = daemon
  const startedAt = performance.now()
  const campaign = { seed: 3, packets: 10_000, seeds, port, honestName: HONEST_NAME }
  const report = await runTcpCampaign(campaign)
  told('over TCP', report, performance.now() - startedAt)
  expect(report.faults).toEqual([])
})

it('a daemon stays itself, sound and able to hear', async () => {
  const { port, process: child } = daemon
  const pid = child.pid ?? 0
  const startedAt = performance.now()
  const campaign = { seed: 2, packets: 110_000, seeds, port, pid, honestName: HONEST_NAME }
  const report = await runDaemonCampaign(campaign)
  told('over sockets', report, performance.now() - startedAt)
  expect(report.faults).toEqual([])
  expect(report.packets).toBeGreaterThanOrEqual(110_000)
  expect(report.grownMiB).toBeLessThan(64)
  // Neither ended nor one of its threads replaced, and no fault: each of them is an error in the log.
  expect([child.exitCode, child.signalCode, daemon.log()]).toEqual([null, null, ''])
})
