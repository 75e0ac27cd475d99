/** Runs a part of the service as a child process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PartEnd, RunningPart } from './supervised-part.ts'

/** In stop order: first the parts that accept work, DNS last. */
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
 * dnsd also runs on small machines, in many places. It creates few objects, so it needs no large
 * nursery (V8's default is 16 MiB), and its few threads need no separate heaps in the C library.
 */
const FLAGS: Partial<Record<PartName, readonly string[]>> = { dnsd: ['--max-semi-space-size=1'] }
const ENVIRONMENT: Partial<Record<PartName, NodeJS.ProcessEnv>> = {
  dnsd: { MALLOC_ARENA_MAX: '1' },
}
const END_WITH_SUPERVISOR = new URL('end-with-supervisor.ts', import.meta.url).href

/** The file with a part's process id while it runs. */
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
 * Starts a part. It has its own process group, so that Ctrl-C reaches only the supervisor, which
 * stops the parts in order. The part's output is log.
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
  // `once` below reports a process that cannot be started. An unhandled event or rejection of `ended` would end this
  // process, and with it everything that it supervises.
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
