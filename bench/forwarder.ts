/**
 * The cost of a redirect with 100,000 forwards, in CPU time of the forwarder, compared with a bare node:http server that
 * sends the same answer. Also the memory of the forwards, and the start from the snapshot. The forwarder runs without
 * PostgreSQL.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forwardedHost, writeForwards } from './support/forwards-file.ts'
import { load } from './support/load.ts'
import { processMs } from './support/process-time.ts'
import { treeMiB } from './support/process-tree.ts'
import { atLeast, atMost, report } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'
import { freePort, until } from './support/service.ts'

const FORWARDS = 100_000
const ROUNDS = 5
const SECONDS = 3
const STARTS = 5
const CACHE = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url))
const ENTRY = fileURLToPath(new URL('../api/src/forwarder.ts', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'homing-bench-forwarder-'))
const children: ChildProcess[] = []
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Forwarder {
  readonly url: string
  readonly pid: number
  /** From its start to its first redirect, in seconds. */
  readonly startSeconds: number
  stop(): Promise<void>
}

/** The status that the forwarder returns for a host; 0 while it does not answer. */
async function statusFor(url: string, host: string): Promise<number> {
  const sent = request(`${url}/page?b=2`, { headers: { host }, agent: false })
  sent.end()
  try {
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    reply.resume()
    return reply.statusCode ?? 0
  } catch {
    return 0
  }
}

async function startForwarder(count: number): Promise<Forwarder> {
  const dataDir = join(folder, String(count))
  writeForwards(dataDir, count)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const beganMs = performance.now()
  const child = spawn(process.execPath, [ENTRY], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      DATA_DIR: dataDir,
      FORWARD_PORT: String(port),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      // As in `npm run start:forwarder`.
      NODE_COMPILE_CACHE: CACHE,
    },
  })
  children.push(child)
  const wanted = count > 0 ? 301 : 404
  await until('the forwarder', async () => (await statusFor(url, forwardedHost(0))) === wanted)
  return {
    url,
    pid: child.pid ?? 0,
    startSeconds: (performance.now() - beganMs) / 1_000,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Requests per second of CPU time of a server. */
async function perCpuSecond(url: string, pid: number): Promise<number> {
  let n = 0
  const beforeMs = processMs(pid)
  const { answers } = await load({
    url,
    seconds: SECONDS,
    expected: /^301 $/,
    next: () => ({ path: '/page?b=2', headers: { host: forwardedHost((n += 1) % FORWARDS) } }),
  })
  return (answers * 1_000) / (processMs(pid) - beforeMs)
}

const starts: number[] = []
for (let n = 0; n < STARTS; n += 1) {
  const started = await startForwarder(FORWARDS)
  starts.push(started.startSeconds)
  await started.stop()
}
const empty = await startForwarder(0)
const full = await startForwarder(FORWARDS)
const mebibytes = treeMiB(full.pid) - treeMiB(empty.pid)
await empty.stop()

const bare = fork(new URL('support/bare-redirect.ts', import.meta.url))
children.push(bare)
const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }]
const measured = await interleave(ROUNDS, {
  bare: async () => perCpuSecond(bareUrl, bare.pid ?? 0),
  forwarder: async () => perCpuSecond(full.url, full.pid),
})
const bareRate = median(measured.bare)
const rate = median(measured.forwarder)
const startSeconds = median(starts)
await full.stop()
bare.disconnect()

report(
  'forwarder',
  [
    { what: 'bare node:http server', value: bareRate, unit: 'redirects/CPU s' },
    { what: `forwarder with ${FORWARDS} forwards`, value: rate, unit: 'redirects/CPU s' },
    {
      what: `memory of ${FORWARDS} forwards, above an empty forwarder`,
      value: mebibytes,
      unit: 'MiB',
    },
    { what: 'start from the snapshot to the first redirect', value: startSeconds, unit: 's' },
  ],
  [
    atLeast('redirects per CPU second ÷ bare node:http', rate / bareRate, 0.8),
    atMost('memory of the forwards, MiB', mebibytes, 64),
    atMost('start from the snapshot, seconds', startSeconds, 2),
  ],
)
