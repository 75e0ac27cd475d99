/** The whole service as `npm start` runs it, in its own folder, for tests from outside. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../../test/free-ports.ts'
import type { Namespace } from './namespaces.ts'
import { copyStackTemplate } from './stack-template.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const START_LIMIT_MS = 150_000

export type PartName = 'api' | 'worker' | 'dnsd' | 'forwarder'

/** Where a running service is. */
export interface Service {
  readonly dataDir: string
  readonly url: string
  readonly dnsPort: number
  /** The port of the web-forwarding server. */
  readonly forwardPort: number
}

export interface Stack extends Service {
  /** Its lines on stdout, including `ready`. */
  readonly printed: readonly string[]
  readonly process: ChildProcess
  /** Its log so far. */
  readonly log: () => string
  /** The process id of a part, from its pid file. @throws Error when the file contains none */
  pidOf(part: PartName): number
  /** @throws Error as `pidOf`, while PostgreSQL is starting */
  postgresPid(): number
  /** Sends SIGINT and returns the exit code. */
  stop(): Promise<number | null>
}

export interface StackOptions {
  /** An existing folder, to start again with the same data. */
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
  /** The network namespace to run in, instead of the host's network. */
  readonly namespace?: Namespace
  /** Creates the data of a first start itself, as for an operator, instead of copying the template. */
  readonly createsData?: true
}

/** The compile cache of Node.js, as in `npm start`: a restarted part needs half the CPU time. */
export const NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node')

/** Creates a folder for a stack's data, and a function that removes it. */
export function temporaryDataDir(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'homing-e2e-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Starts the service and waits until it prints `ready`.
 *
 * @throws Error with its log, when it ends first or takes more than 150 s
 */
export async function startStack(options: StackOptions & { dataDir: string }): Promise<Stack> {
  const [port = 0, dnsPort = 0, forwardPort = 0] = await freePorts(3)
  if (options.createsData !== true) copyStackTemplate(options.dataDir, options.env ?? {})
  const command = [process.execPath, ['api/src/stack.ts']] as const
  const [program, words] = options.namespace?.within(command[0], ...command[1]) ?? command
  const child = spawn(program, words, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '/',
      NODE_COMPILE_CACHE,
      DATA_DIR: options.dataDir,
      PORT: String(port),
      DNS_PORT: String(dnsPort),
      FORWARD_PORT: String(forwardPort),
      // Tests register without a CAPTCHA. Tests of the CAPTCHA turn it on.
      CAPTCHA_PROVIDER: 'none',
      ...options.env,
    },
  })
  const printed: string[] = []
  let logged = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (logged += text))

  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`not ready within ${START_LIMIT_MS} ms:\n${logged}`))
    }, START_LIMIT_MS)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`ended with ${code} before it was ready:\n${logged}`))
    })
    createInterface({ input: child.stdout }).on('line', (line) => {
      printed.push(line)
      if (line !== 'ready') return
      clearTimeout(timer)
      resolve()
    })
  })
  await ready
  child.removeAllListeners('exit')

  // PostgreSQL creates its file before it writes the id. An empty file must not count as id 0, which is this process's own group.
  const pidIn = (file: string) => {
    const pid = Number(readFileSync(join(options.dataDir, file), 'utf8').split('\n')[0])
    if (!(pid > 1)) throw new Error(`${file} holds no process id yet`)
    return pid
  }
  return {
    dataDir: options.dataDir,
    url: `http://127.0.0.1:${port}`,
    dnsPort,
    forwardPort,
    printed,
    process: child,
    log: () => logged,
    pidOf: (part) => pidIn(`run/${part}.pid`),
    postgresPid: () => pidIn('postgres/postmaster.pid'),
    async stop() {
      if (child.exitCode !== null) return child.exitCode
      const gone = once(child, 'exit')
      child.kill('SIGINT')
      await gone
      return child.exitCode
    },
  }
}

/**
 * Repeats a probe until its result is as expected. The limit is for what never happens: on a busy machine, the start of a
 * server and a transfer of its zone take longer than 15 s.
 *
 * @throws Error with the last result, after `limitMs`
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  limitMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + limitMs
  while (true) {
    const answer = await ask().catch((error: unknown) => error as T)
    if (!(answer instanceof Error) && wanted(answer)) return answer
    if (performance.now() > deadline) {
      throw new Error(
        `still not as wanted: ${answer instanceof Error ? answer.message : JSON.stringify(answer)}`,
      )
    }
    await new Promise((resume) => setTimeout(resume, 20))
  }
}
