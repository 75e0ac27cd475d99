/** The pauses of the daemon's main thread with a large zone: idle, with updates, and during a zone transfer. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeBenchZone } from '../support/dns-bench-zone.ts'
import { prepareDnsd } from '../support/dns-dnsd.ts'
import { ZONE } from '../support/dns-mix.ts'
import { insertUpdatedNames } from '../support/dns-updates.ts'
import type { Pauses } from '../support/pause-probe.ts'
import { findProgram, LOAD_CORES } from '../support/pinned-process.ts'
import { atMost, print, printComparisons, writeResults } from '../support/report.ts'
import { until } from '../support/service.ts'
import { printTable } from '../support/table.ts'
import type { BenchOptions } from './options.ts'

const NAMES = 1_000_000
const UPDATES_PER_SECOND = 500
const UPDATED_NAMES = 10_000
const LIMIT_MS = 20
const PROBE = new URL('../support/pause-probe.ts', import.meta.url).href
const SETTINGS = 'transfers:\n  - zones: ["*"]\n    allow: [{ networks: ["127.0.0.0/8"] }]\n'
const run = promisify(execFile)

interface Stage extends Pauses {
  readonly what: string
}

const cellsOf = ({ what, wallMs, cpuMs, long }: Stage) => [
  what,
  wallMs.toFixed(1),
  cpuMs.toFixed(1),
  String(long),
]

export async function pauses({ names = NAMES, seconds }: BenchOptions): Promise<void> {
  print(`\ndns pauses of the main thread: ${names} names; stages of ${seconds} s or one transfer`)
  using zone = await makeBenchZone(names)
  await using ends = new AsyncDisposableStack()
  const home = await prepareDnsd(zone)
  ends.defer(() => home.close())
  const [settings, file] = [join(zone.folder, 'settings.yaml'), join(zone.folder, 'pauses.json')]
  writeFileSync(settings, SETTINGS)
  const server = await home.start({
    DNS_SETTINGS: settings,
    NODE_OPTIONS: `--import ${PROBE}`,
    PAUSES_FILE: file,
  })
  ends.defer(() => server.stop())
  await home.snapshot()
  const updated = await insertUpdatedNames(home.service.postgres.url, UPDATED_NAMES)

  const told = async (): Promise<Pauses> => {
    rmSync(file, { force: true })
    process.kill(server.pid, 'SIGUSR2')
    await until('the probe', async () => existsSync(file))
    return JSON.parse(readFileSync(file, 'utf8')) as Pauses
  }
  const stages: Stage[] = []
  const stage = async (what: string, doing: () => Promise<unknown>): Promise<void> => {
    await told()
    await doing()
    stages.push({ what, ...(await told()) })
  }
  const dig = findProgram('dig')
  if (dig === undefined) print('  missing transfers: needs package bind9-dnsutils')
  const transfer = async (): Promise<void> => {
    const asked = ['@127.0.0.1', '-p', String(server.port), ZONE, 'AXFR', '+noall', '+stats']
    const { stdout } = await run('taskset', ['-c', LOAD_CORES, dig ?? 'dig', ...asked])
    if (!/XFR size: \d+ records/.test(stdout)) throw new Error(`no transfer: ${stdout}`)
  }
  const updating = async (doing: () => Promise<unknown>): Promise<void> => {
    const stream = updated.start(UPDATES_PER_SECOND)
    try {
      await doing()
    } finally {
      await stream.stop()
    }
  }

  await stage('at rest', () => delay(seconds * 1_000))
  if (dig !== undefined) await stage('AXFR', transfer)
  await stage(`${UPDATES_PER_SECOND} updates/s`, () => updating(() => delay(seconds * 1_000)))
  if (dig !== undefined)
    await stage(`AXFR and ${UPDATES_PER_SECOND} updates/s`, () => updating(transfer))
  printTable(
    ['stage', 'longest ms', 'own processor time', `above ${LIMIT_MS} ms`],
    stages.map(cellsOf),
  )
  const comparisons = stages.map(({ what, wallMs }) =>
    atMost(`longest pause, ms: ${what}`, wallMs, LIMIT_MS),
  )
  printComparisons(comparisons)
  writeResults('dns-pauses', { names, updatesPerSecond: UPDATES_PER_SECOND, stages, comparisons })
}
