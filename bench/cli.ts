/**
 * The CPU time of a whole `homing` process, from the launcher to the end, compared with a Node that does nothing. Commands call a small server in
 * this process, whose time does not count.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endedChildrenMs } from './support/process-time.ts'
import { atMost, report } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'

const ROUNDS = 11
/** The system counts CPU time in steps of 10 ms. */
const RUNS_A_ROUND = 10
const HOMING = fileURLToPath(new URL('../cli/bin/homing', import.meta.url))

const domain = {
  fqdn: 'home.example.net',
  zone: 'example.net',
  record_ipv4: '192.0.2.1',
  record_ipv6: null,
  ttl: 60,
  is_active: true,
  paused: false,
  is_forwarded: false,
  is_wildcard: false,
  last_update_at: '2026-01-01T00:00:00.000Z',
}
const LIST = JSON.stringify(Array.from({ length: 3 }, (_, n) => ({ ...domain, id: String(n) })))

const server = createServer((request, response) => {
  const isUpdate = request.url?.startsWith('/nic/update') === true
  response.setHeader('content-type', isUpdate ? 'text/plain' : 'application/json')
  response.end(isUpdate ? 'good 192.0.2.1' : LIST)
})
await once(server.listen(0, '127.0.0.1'), 'listening')

const home = mkdtempSync(join(tmpdir(), 'homing-bench-cli-'))
const environment = {
  PATH: process.env['PATH'],
  HOME: home,
  HOMING_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  HOMING_API_KEY: 'ak_bench',
}

/** Milliseconds of CPU time for one run of a program. @throws Error if a run fails */
async function costOf(program: string, ...args: string[]): Promise<number> {
  const before = endedChildrenMs(process.pid)
  for (let runs = 0; runs < RUNS_A_ROUND; runs += 1) {
    const child = spawn(program, args, { env: environment, stdio: 'ignore' })
    const [exitCode] = (await once(child, 'close')) as [number | null]
    if (exitCode !== 0) throw new Error(`homing ${args.join(' ')} ended with ${exitCode}`)
  }
  return (endedChildrenMs(process.pid) - before) / RUNS_A_ROUND
}

const homing = (...args: string[]) => costOf(HOMING, ...args)
const taken = await interleave(ROUNDS, {
  bare: () => costOf(process.execPath, '-e', '0'),
  version: () => homing('--version'),
  tab: () => homing('__complete', 'domains', 'show', 'h'),
  list: () => homing('domains'),
  json: () => homing('domains', '--json'),
  update: () => homing('update', 'home.example.net', '--ip', '192.0.2.1'),
})
server.close()
rmSync(home, { recursive: true })

const of = (name: keyof typeof taken) => median(taken[name])
const ms = (what: string, name: keyof typeof taken) => ({ what, value: of(name), unit: 'ms' })
report(
  'cli',
  [
    ms('CPU time of node -e 0', 'bare'),
    ms('CPU time of homing --version', 'version'),
    ms('CPU time of Tab after homing domains show', 'tab'),
    ms('CPU time of homing domains', 'list'),
    ms('CPU time of homing domains --json', 'json'),
    ms('CPU time of homing update DOMAIN', 'update'),
  ],
  [
    atMost('homing --version ÷ node -e 0', of('version') / of('bare'), 2.5),
    atMost('Tab after homing domains show ÷ node -e 0', of('tab') / of('bare'), 3),
    atMost('homing domains ÷ node -e 0', of('list') / of('bare'), 4),
    atMost('homing domains --json ÷ node -e 0', of('json') / of('bare'), 4),
    atMost('homing update DOMAIN ÷ node -e 0', of('update') / of('bare'), 4),
  ],
)
