/**
 * A soak test of dnsd: load, updates, hostile packets and checked answers at the same time, for a long time.
 * Unlike a benchmark it passes or fails: all answers must be correct, no thread may die, memory must not grow, and
 * SIGTERM must end it. `node bench/soak.ts --minutes 60 --transport batch`
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { checkAnswers } from './soak/answers.ts'
import { differing } from './soak/converged.ts'
import { fuzz } from './soak/fuzzer.ts'
import { makeBenchZone } from './support/dns-bench-zone.ts'
import { prepareDnsd } from './support/dns-dnsd.ts'
import { questionsOf } from './support/dns-mix.ts'
import { insertUpdatedNames } from './support/dns-updates.ts'
import { askPaced } from './support/dnsperf.ts'
import { print, writeResults } from './support/report.ts'
import { median } from './support/rounds.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    transport: { type: 'string', default: 'batch' },
    rate: { type: 'string', default: '10000' },
  },
})
const minutes = Number(values.minutes)
const { transport } = values
const perSecond = Number(values.rate)
if (!(minutes > 0) || !(perSecond > 0) || !['batch', 'dgram'].includes(transport)) {
  process.stderr.write(
    'usage: node bench/soak.ts [--minutes 60] [--transport batch|dgram] [--rate 10000]\n',
  )
  process.exit(64)
}

const NAMES = 100_000
const UPDATED_NAMES = 1_000
const UPDATES_PER_SECOND = 200
const WORKERS = '2'
const LOAD_SECONDS = 20
/**
 * Memory is compared between the second fifth of the time, when caches and heaps have reached their size, and the last fifth. The medians
 * are used, because every ten minutes a snapshot is written, which briefly needs more memory.
 */
const FIFTHS = 5
const GROWTH_LIMIT_MIB = 8
/** The largest allowed peak above the settled median: the memory for writing a snapshot of these names, and its after-effects. */
const PEAK_LIMIT_MIB = 32

using zone = await makeBenchZone(NAMES)
await using ends = new AsyncDisposableStack()
const home = await prepareDnsd(zone)
ends.defer(() => home.close())
const server = await home.start({ DNS_UDP_TRANSPORT: transport, DNS_WORKERS: WORKERS })
ends.defer(() => server.stop())
await home.snapshot()
const [honest] = questionsOf(NAMES, 1)
const names = await insertUpdatedNames(home.service.postgres.url, UPDATED_NAMES)
const updates = names.start(UPDATES_PER_SECOND)
ends.defer(() => updates.stop())
const fuzzer = fuzz({ port: server.port, pid: server.pid, name: honest?.name ?? '' })
ends.defer(async () => void (await fuzzer.stop()))
const checker = checkAnswers(zone, server.port)
ends.defer(async () => void (await checker.stop()))

const begun = performance.now()
const passed = () => (performance.now() - begun) / 60_000
const memoryMiB: { readonly fifth: number; readonly value: number }[] = []
let [answered, lost] = [0, 0]
print(
  `soak: ${minutes} min in ${transport}, ${perSecond} questions and ${UPDATES_PER_SECOND} updates a second`,
)
while (passed() < minutes && server.exitCode() === undefined) {
  const { port } = server
  const load = await askPaced({ port, questions: zone.questions, seconds: LOAD_SECONDS, perSecond })
  answered += load.answered
  lost += load.lost
  const value = server.memoryMiB()
  const fifth = Math.min(FIFTHS - 1, Math.floor((passed() / minutes) * FIFTHS))
  memoryMiB.push({ fifth, value })
  const [checked, fuzzed] = [checker.so(), fuzzer.so()]
  print(
    `  ${passed().toFixed(1).padStart(6)} min  answered ${answered}  lost ${lost}  checked ${checked.right}  wrong ${checked.wrong.length}` +
      `  updates ${(await updates.count()).changed}  hostile ${fuzzed.packets}  faults ${fuzzed.faults.length}` +
      `  ${value.toFixed(1)} MiB  p99 ${load.p99Ms.toFixed(2)} ms`,
  )
}

const [checked, fuzzed] = await Promise.all([checker.stop(), fuzzer.stop()])
const { changed, failed } = await updates.count()
await updates.stop()
// Updates in flight are stored a moment later.
await delay(500)
const hasDied = server.exitCode() !== undefined
const different = hasDied ? [] : await differing(home.service.postgres.url, server.port)
const medianOf = (wanted: number) =>
  median(memoryMiB.filter(({ fifth }) => fifth === wanted).map(({ value }) => value))
const [settledMiB, endMiB] = [medianOf(1), medianOf(FIFTHS - 1)]
const mostMiB = Math.max(...memoryMiB.map(({ value }) => value))
const log = server.errors()
await server.stop()

const findings = [
  ...(hasDied ? ['dnsd ended by itself'] : []),
  ...checked.wrong.slice(0, 20).map((text) => `answered wrongly: ${text}`),
  ...fuzzed.faults.map((text) => `fuzzer: ${text}`),
  ...different.slice(0, 20).map((text) => `did not converge: ${text}`),
  ...(log === '' ? [] : [`logged: ${log}`]),
  ...(server.exitCode() === 0 ? [] : [`SIGTERM ended it with ${server.exitCode()}`]),
  ...(endMiB - settledMiB > GROWTH_LIMIT_MIB
    ? [`memory grew from ${settledMiB} to ${endMiB} MiB`]
    : []),
  ...(mostMiB - settledMiB > PEAK_LIMIT_MIB ? [`memory reached ${mostMiB} MiB`] : []),
]
const { right, repeated } = checked
const { campaigns, packets } = fuzzed
print(
  `soak: ${passed().toFixed(1)} min; ${answered} answered, ${lost} lost; ${right} checked, ${repeated} asked again; ` +
    `${changed} updates, ${failed.length} refused because PostgreSQL was too busy; ${packets} hostile packets in ${campaigns} campaigns; ${settledMiB.toFixed(1)} → ${endMiB.toFixed(1)} MiB, ${mostMiB.toFixed(1)} at most`,
)
for (const finding of findings) print(`  WRONG ${finding}`)
print(findings.length === 0 ? '  passed' : '  FAILED')
const figures = {
  answered,
  lost,
  right,
  repeated,
  changed,
  failed: failed.length,
  packets,
  settledMiB,
  mostMiB,
  endMiB,
}
writeResults('soak', { minutes: passed(), transport, perSecond, ...figures, findings })
process.exitCode = findings.length === 0 ? 0 : 1
