/**
 * Ends the processes that a killed supervisor left running. Its parts end by themselves a moment
 * later (`end-with-supervisor.ts`); PostgreSQL does not. The next start ends both, because stopping
 * them is faster than finding out whether they are still the right ones.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../process/log.ts'
import { PART_NAMES, pidFileOf } from './node-part.ts'
import { endProcess, hasArgument, hasVariable, pidIn } from './processes.ts'

/** A part finishes its work in progress; the supervisor's end has already told it to stop. */
const PART_LIMIT_MS = 5_000
/** PostgreSQL writes a checkpoint before it ends. */
const POSTGRES_LIMIT_MS = 30_000

async function endOrphan(
  name: string,
  pid: number,
  exists: () => boolean,
  options: { signal: NodeJS.Signals; limitMs: number; log: Log },
): Promise<void> {
  if (!exists()) return
  options.log.info(`${name} (${pid}) still runs from a supervisor that was killed; stopping it`)
  await endProcess(pid, exists, options)
}

/** Ends the parts, then the PostgreSQL, of an earlier supervisor of `dataDir`. */
export async function endOrphans(dataDir: string, log: Log): Promise<void> {
  const parts = PART_NAMES.map((name) => {
    const pid = pidIn(pidFileOf(dataDir, name)) ?? 0
    const exists = () => hasVariable(pid, `DATA_DIR=${dataDir}`)
    return endOrphan(name, pid, exists, { signal: 'SIGTERM', limitMs: PART_LIMIT_MS, log })
  })
  await Promise.all(parts)

  const clusterDir = join(dataDir, 'postgres')
  const file = join(clusterDir, 'postmaster.pid')
  const pid = pidIn(file)
  if (pid === undefined) return
  const exists = () => hasArgument(pid, clusterDir)
  // SIGINT is PostgreSQL's "fast shutdown": it ends sessions and keeps committed data.
  const options = { signal: 'SIGINT', limitMs: POSTGRES_LIMIT_MS, log } as const
  await endOrphan('PostgreSQL', pid, exists, options)
  // Another process can have this id by now, and PostgreSQL would take that for a running server.
  rmSync(file, { force: true })
}
