/** A PostgreSQL without a supervisor, which only the test controls. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@homing/api/postgres'
import { copyClusterTemplate } from './stack-template.ts'

export interface OwnPostgres {
  readonly url: string
  /** Ends every session and stops, as `systemctl stop postgresql` does. */
  stop(): Promise<void>
  /** Starts again at the same address, over the same data. @param settings of postgresql.conf, which also hold for later starts */
  start(settings?: Readonly<Record<string, string>>): Promise<void>
  /** `kill -9`; resolves when it and its sessions are gone. */
  kill(): Promise<void>
  /** Sends SIGSTOP to all of its processes: connections stay open without responses. */
  freeze(): void
  thaw(): void
}

/** Processes whose parent is `pid`. */
function childrenOf(pid: number): number[] {
  const isChild = (id: string) => {
    try {
      // The program name can contain spaces and brackets; the fields after it cannot.
      const [, parent] =
        readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return Number(parent) === pid
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id) && isChild(id))
    .map(Number)
}

/** Sends a signal. A session can have ended since it was listed. */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Starts it with its data in `folder`, fsync on. Its database is that of a service that has never run.
 *
 * @param isEmpty without a schema, as an operator creates it
 */
export async function startOwnPostgres(
  folder: string,
  { isEmpty = false }: { readonly isEmpty?: boolean } = {},
): Promise<OwnPostgres> {
  const options = { clusterDir: join(folder, 'database', 'cluster'), durable: true }
  if (!isEmpty) copyClusterTemplate(options.clusterDir)
  let kept: Readonly<Record<string, string>> = {}
  let server: EmbeddedPostgres = await startEmbeddedPostgres(options)
  const { url, port } = server
  const signalAll = (signal: NodeJS.Signals) => {
    const { pid = 0 } = server.process
    // Stop the parent process first, so that it starts no more children.
    process.kill(pid, signal)
    for (const child of childrenOf(pid)) signalIfThere(child, signal)
  }
  return {
    url,
    stop: () => server.stop(),
    async start(settings = kept) {
      kept = settings
      // After a kill, sessions notice the end of their server with a delay. Until then the shared memory is in use.
      for (let attempt = 1; ; attempt++) {
        try {
          server = await startEmbeddedPostgres({ ...options, settings, port })
          return
        } catch (error) {
          if (attempt === 10) throw error
        }
      }
    },
    async kill() {
      const gone = new Promise((resolve) => server.process.once('exit', resolve))
      server.process.kill('SIGKILL')
      await gone
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
  }
}
