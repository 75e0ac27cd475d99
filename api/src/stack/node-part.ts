/** A part of the service as a child process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PartEnd, RunningPart } from './supervised-part.ts'

/** In the order in which they stop: first those that take work, DNS last. */
export const PART_NAMES = ['api', 'worker', 'forwarder', 'dnsd'] as const
export type PartName = (typeof PART_NAMES)[number]

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const ENTRIES: Readonly<Record<PartName, string>> = {
  api: 'api/src/server.ts',
  worker: 'api/src/worker.ts',
  forwarder: 'api/src/forwarder.ts',
  dnsd: 'dnsd/src/main.ts',
}
/**
 * dnsd is the part that runs on small machines, in many places. What little arises in it needs no large
 * nursery (V8 would keep 16 MiB), and its few threads no heaps of their own in the C library.
 */
const FLAGS: Partial<Record<PartName, readonly string[]>> = { dnsd: ['--max-semi-space-size=1'] }
const ENVIRONMENT: Partial<Record<PartName, NodeJS.ProcessEnv>> = {
  dnsd: { MALLOC_ARENA_MAX: '1' },
}
const END_WITH_SUPERVISOR = new URL('end-with-supervisor.ts', import.meta.url).href

/** The file that holds a part's process id while it runs. */
export function pidFileOf(dataDir: string, name: PartName): string {
  return join(dataDir, 'run', `${name}.pid`)
}

function writePid(file: string, pid: number): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${pid}\n`)
  renameSync(`${file}.new`, file)
}

export interface NodePartOptions {
  readonly dataDir: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * Starts a part. It has a process group of its own, so that Ctrl-C reaches the
 * supervisor alone and the stop keeps its order; what it prints is log.
 */
export async function startNodePart(
  name: PartName,
  options: NodePartOptions,
): Promise<RunningPart> {
  const args = [...(FLAGS[name] ?? []), '--import', END_WITH_SUPERVISOR, ENTRIES[name]]
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...ENVIRONMENT[name], ...options.env },
    detached: true,
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  // A process that cannot be made is told by `once` below. An event, or a rejection of `ended`, that nobody hears would end
  // this process, and with it everything that it keeps running.
  child.on('error', () => undefined)
  const ended = new Promise<PartEnd>((tell) =>
    child.once('exit', (exitCode, signal) => tell({ exitCode, signal })),
  )
  await once(child, 'spawn')
  const file = pidFileOf(options.dataDir, name)
  if (child.pid !== undefined) writePid(file, child.pid)
  return {
    ended,
    async stop(limitMs) {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
      await ended
      clearTimeout(timer)
      rmSync(file, { force: true })
    },
  }
}
