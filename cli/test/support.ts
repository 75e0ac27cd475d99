/** Runs the command as a shell does, and a server with the answers of a test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as Run from '../src/run.ts'
import { inShell } from './shell.ts'

export const LAUNCHER = fileURLToPath(new URL('../bin/homing', import.meta.url))

export interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Creates a folder for the files of a test. */
export const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'homing-cli-'))

/** A home folder without a sign-in. */
const EMPTY_HOME = temporaryFolder()

/** A shell's environment whose PATH does not contain the project's Node. */
export const shellEnvironment = (env: Record<string, string>) => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: EMPTY_HOME,
  ...env,
})

/** Node loads the build itself, as the launcher does. `global-build.ts` builds it from the current sources. */
const load = createRequire(import.meta.url)
const program = () => load('../dist/src/run.js') as typeof Run

/**
 * Runs a command line like a script does: without a terminal, and with `input` on standard input. It runs inside the test
 * process, because the start of a process takes ten times as long as most commands. Tests of the start itself use `homingProcess`.
 */
export async function homing(
  args: string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Ended> {
  const work = () => program().runCli(args)
  const { result: exitCode, ...printed } = await inShell(shellEnvironment(env), input, work)
  return { exitCode, ...printed }
}

/** Runs `homing` as `homing()` does, but as a process: for what only a process shows, such as variables that Node reads. */
export async function homingProcess(
  args: string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Ended> {
  const child = spawn(LAUNCHER, args, {
    cwd: '/',
    env: shellEnvironment(env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // Most commands read no input and have ended before this is written.
  child.stdin.on('error', () => undefined).end(input)
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (printed[stream] += text))
  }
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, ...printed }
}

export interface Asked {
  readonly request: string
  readonly authorization: string | undefined
  readonly ifMatch?: string
  readonly body: string
}

export interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  /** An object is sent as JSON. */
  readonly body?: string | object
}

/** The responses to calls; a function gets the call. */
export type Replies = Record<string, Reply | ((asked: Asked) => Reply)>

export interface FakeServer {
  readonly url: string
  readonly asked: Asked[]
  /** The responses from now on. */
  readonly replies: Replies
  close(): void
}

/** Answers each request with the reply for `METHOD /path`, otherwise with 404 like any web server. */
export async function fakeServer(replies: Replies): Promise<FakeServer> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const { pathname } = new URL(request.url ?? '', 'http://server')
      const { authorization, 'if-match': ifMatch } = request.headers
      const asks = { request: `${request.method} ${decodeURI(request.url ?? '')}`, authorization }
      const call = { ...asks, body, ...(ifMatch !== undefined && { ifMatch }) }
      asked.push(call)
      const found = replies[`${request.method} ${decodeURI(pathname)}`]
      const reply = (typeof found === 'function' ? found(call) : found) ?? {
        status: 404,
        body: 'no page',
      }
      const isText = typeof reply.body === 'string' || reply.body === undefined
      response.writeHead(reply.status ?? 200, {
        'content-type': isText ? 'text/plain' : 'application/json',
        ...reply.headers,
      })
      response.end(isText ? reply.body : JSON.stringify(reply.body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    replies,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A file with a password, by default readable only by its owner. */
export function passwordFile(password: string, mode = 0o600): string {
  const file = join(temporaryFolder(), 'password')
  writeFileSync(file, `${password}\n`, { mode })
  return file
}
