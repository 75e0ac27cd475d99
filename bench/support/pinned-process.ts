/** Pins the processes of a benchmark to cores: servers to the last core, clients to the others. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { cpus } from 'node:os'
import { delimiter, join } from 'node:path'
import { processTree } from './process-tree.ts'

const STOP_LIMIT_MS = 10_000
/** The amount of a process's output that is kept, to report why it ended. */
const KEPT_CHARACTERS = 4_000

const cores = cpus().length
export const SERVER_CORES = String(cores - 1)
export const LOAD_CORES = cores === 1 ? '0' : `0-${cores - 2}`

/** PATH, and the system's folders for daemons, which are not in every user's PATH. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']

/** The path of an installed program, or undefined. */
export function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

export interface PinnedProcess {
  readonly pid: number
  /** Undefined while it runs; null when a signal ended it. */
  exitCode(): number | null | undefined
  /** The end of its output on stderr. */
  errors(): string
  /** Sends SIGTERM, and SIGKILL if it still runs after 10 s. */
  stop(): Promise<void>
}

export interface PinnedOptions {
  /** A list of cores in the format of taskset. */
  readonly cores: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a program on some cores. taskset replaces itself with the program, so its pid is the program's. */
export function startPinned(command: readonly string[], options: PinnedOptions): PinnedProcess {
  const { cores: list, cwd, env } = options
  const child = spawn('taskset', ['-c', list, ...command], {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let kept = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    kept = (kept + text).slice(-KEPT_CHARACTERS)
  })
  const ended = once(child, 'close')
  return {
    pid: child.pid ?? 0,
    exitCode() {
      const isGone = child.exitCode !== null || child.signalCode !== null
      return isGone ? child.exitCode : undefined
    },
    errors: () => kept,
    async stop() {
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
      child.kill('SIGTERM')
      await ended
      clearTimeout(late)
    },
  }
}

/** Moves a running process, and its future children, to some cores. */
export function pinTree(root: number, list: string): void {
  for (const pid of processTree(root)) {
    execFileSync('taskset', ['-a', '-c', '-p', list, String(pid)], { stdio: 'ignore' })
  }
}
