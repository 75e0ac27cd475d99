/** The servers that a DNS benchmark compares. Each can be started with the zone of the benchmark. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressIn, openAsker, questionFor } from './dns-question.ts'
import { questionsOf } from './dns-mix.ts'
import {
  findProgram,
  type PinnedProcess,
  pinTree,
  SERVER_CORES,
  startPinned,
} from './pinned-process.ts'
import { treeMiB, treeMs } from './process-tree.ts'
import { freePort } from './service.ts'

export interface BenchZone {
  /** The parent of the servers' folders. */
  readonly folder: string
  /** The zone as a master file. */
  readonly masterFile: string
  /** The queries in the format of dnsperf. */
  readonly questions: string
  /** The number of hosts in the zone. */
  readonly names: number
}

export interface RunningServer {
  readonly name: string
  readonly port: number
  /** From the start of the process until its first correct answer. */
  readonly startMs: number
  /** Whether it only echoes packets. */
  readonly isEcho: boolean
  readonly pid: number
  /** The end of its output on stderr. */
  errors(): string
  /** CPU time so far, of all threads and children, in milliseconds. */
  cpuMs(): number
  /** The CPU time of its database, if it queries one for its answers. */
  databaseCpuMs(): number
  /** Memory of all its processes (PSS), in MiB. */
  memoryMiB(): number
  /** Undefined while it runs; null when a signal ended it. */
  exitCode(): number | null | undefined
  /** Sends SIGTERM; resolves when the process has ended. */
  stop(): Promise<void>
}

export interface Contender {
  readonly name: string
  /** The required program or package that is not installed. */
  missing(): string | undefined
  start(zone: BenchZone): Promise<RunningServer>
}

const FIRST_ANSWER_LIMIT_MS = 120_000

/** Creates an empty folder. */
export function freshFolder(zone: BenchZone, name: string): string {
  const folder = join(zone.folder, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

export function writeConfig(folder: string, name: string, lines: readonly string[]): string {
  const file = join(folder, name)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

/** Waits for the correct address of a host. For an echo, waits for any answer. */
async function firstAnswer(zone: BenchZone, what: ServerCommand, server: PinnedProcess) {
  const [asked] = questionsOf(zone.names, 1)
  if (asked === undefined) throw new Error('no question')
  const asker = await openAsker(what.port)
  const question = questionFor(asked.name)
  const limit = performance.now() + FIRST_ANSWER_LIMIT_MS
  try {
    while (true) {
      const answer = await asker.exchange(question, 100)
      if (answer !== undefined && what.isEcho === true) return
      if (answer !== undefined && addressIn(answer, question) === asked.address) return
      if (server.exitCode() !== undefined || performance.now() > limit)
        throw new Error(server.errors())
    }
  } finally {
    asker.close()
  }
}

export interface ServerCommand {
  readonly name: string
  readonly command: readonly string[]
  readonly port: number
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly isEcho?: boolean
  readonly databaseCpuMs?: () => number
}

/** Starts a server on the servers' core and waits for its first correct answer. */
export async function startServer(zone: BenchZone, what: ServerCommand): Promise<RunningServer> {
  const begun = performance.now()
  const { name, command, port, isEcho = false, databaseCpuMs = () => 0, ...where } = what
  const server = startPinned(command, { cores: SERVER_CORES, ...where })
  let startMs: number
  try {
    await firstAnswer(zone, what, server)
    startMs = performance.now() - begun
    // Knot pins its threads to cores of its choice when they start.
    pinTree(server.pid, SERVER_CORES)
  } catch (error) {
    await server.stop()
    throw new Error(`${name} did not start`, { cause: error })
  }
  return {
    name,
    port,
    isEcho,
    pid: server.pid,
    errors: () => server.errors(),
    exitCode: () => server.exitCode(),
    startMs,
    cpuMs: () => treeMs(server.pid),
    databaseCpuMs,
    memoryMiB: () => treeMiB(server.pid),
    stop: () => server.stop(),
  }
}

/** A server that reads a master file: its program, Debian package and configuration. */
export function fileServer(options: {
  readonly name: string
  readonly program: string
  readonly debianPackage: string
  /** Writes the configuration and returns the arguments. */
  readonly configure: (zone: BenchZone, folder: string, port: number) => readonly string[]
}): Contender {
  const { name, program, debianPackage, configure } = options
  const path = findProgram(program)
  return {
    name,
    missing: () => (path === undefined ? `package ${debianPackage}` : undefined),
    async start(zone) {
      const folder = freshFolder(zone, name)
      const port = await freePort()
      const command = [path ?? program, ...configure(zone, folder, port)]
      return startServer(zone, { name, command, port, cwd: folder })
    },
  }
}
