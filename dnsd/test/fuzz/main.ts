/*
 * Runs the fuzzer by hand, for longer than CI can:
 *
 *   node dnsd/test/fuzz/main.ts --packets 20000000 --seed 7     in this process, over UDP's rules
 *   node dnsd/test/fuzz/main.ts --transport tcp
 *   node dnsd/test/fuzz/main.ts --sockets --packets 1000000     against a daemon of its own, which gets DNS_*
 *   node dnsd/test/fuzz/main.ts --port 8053 --pid 123 --name a.example.net    against one that runs, and its name with an address
 *   node dnsd/test/fuzz/main.ts --collect --packets 200000      finds seeds by coverage, writes seeds.txt
 *
 * Exits with 1 after a finding. A finding is printed with its packet in hexadecimal.
 */
import { parseArgs } from 'node:util'
import { runCampaign } from './campaign.ts'
import { collectSeeds } from './collect.ts'
import { runDaemonCampaign } from './daemon-campaign.ts'
import { serveInProcess } from '../support/serving-daemon.ts'
import { readSeeds, writeSeeds } from './seeds.ts'
import { bothWays, HONEST_NAME, pipelineFor, told } from './subjects.ts'
import { fuzzZones } from './zone.ts'

const { values } = parseArgs({
  options: {
    packets: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    transport: { type: 'string', default: 'udp' },
    sockets: { type: 'boolean', default: false },
    port: { type: 'string' },
    pid: { type: 'string' },
    name: { type: 'string', default: HONEST_NAME },
    collect: { type: 'boolean', default: false },
  },
})
const packets = Number(values.packets)
const seed = Number(values.seed)
const transport = values.transport === 'tcp' ? 'tcp' : 'udp'
const seeds = readSeeds()
const startedAt = performance.now()

if (values.collect) {
  const ways = [bothWays(), pipelineFor('tcp')]
  const kept = collectSeeds(seed, packets, seeds, (packet) => {
    for (const { answer, judge } of ways) judge(packet, answer(packet))
  })
  writeSeeds(kept)
  told(
    'collected',
    { seed, before: seeds.length, seeds: kept.length },
    performance.now() - startedAt,
  )
} else {
  const report = await attack()
  told(`seed ${seed}`, report, performance.now() - startedAt)
  for (const fault of report.faults) process.stdout.write(`${fault}\n`)
  process.exitCode = report.faults.length === 0 ? 0 : 1
}

function inProcess() {
  const { answer, judge } = transport === 'udp' ? bothWays() : pipelineFor(transport)
  return runCampaign({ seed, packets, seeds, answer, judge })
}

async function attack() {
  if (values.port === undefined) return values.sockets ? overSockets() : inProcess()
  const [port, pid, honestName] = [Number(values.port), Number(values.pid), values.name]
  return runDaemonCampaign({ seed, packets, seeds, port, pid, honestName })
}

async function overSockets() {
  const set = Object.entries(process.env).filter(([name]) => name.startsWith('DNS_'))
  const daemon = await serveInProcess(fuzzZones, {
    ...(Object.fromEntries(set) as Record<string, string>),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  })
  try {
    const { port, process: child } = daemon
    const pid = child.pid ?? 0
    return await runDaemonCampaign({ seed, packets, seeds, port, pid, honestName: HONEST_NAME })
  } finally {
    await daemon.stop()
  }
}
