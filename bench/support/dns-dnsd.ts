/** dnsd with the benchmark's zone, filled like any zone: `zone:import` into PostgreSQL, which dnsd follows. */
import { execFile } from 'node:child_process'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BenchZone, type Contender, type RunningServer, startServer } from './dns-contender.ts'
import { ZONE } from './dns-mix.ts'
import { LOAD_CORES, pinTree } from './pinned-process.ts'
import { type BenchService, freePort, prepareService, until } from './service.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
/** The minimum size per name of a snapshot that contains the zone. */
const LEAST_OCTETS_A_NAME = 12
const SNAPSHOT_LIMIT_SECONDS = 120

export interface DnsdHome {
  readonly service: BenchService
  /** The duration of `zone:import` in seconds. */
  readonly importSeconds: number
  /** Starts dnsd from its folder, or from PostgreSQL if the folder is empty. */
  start(settings?: Readonly<Record<string, string>>): Promise<RunningServer>
  /** Waits until a snapshot contains the zone. */
  snapshot(): Promise<void>
  /** Empties the folder, so that the next start reads PostgreSQL. */
  forget(): void
  /** Stops PostgreSQL and removes everything. */
  close(): Promise<void>
}

async function importZone(service: BenchService, { masterFile }: BenchZone): Promise<number> {
  const begun = performance.now()
  const script = join(ROOT, 'api/scripts/zone-import.ts')
  await run(process.execPath, [script, ZONE, masterFile], { cwd: ROOT, env: service.env })
  return (performance.now() - begun) / 1_000
}

/** The size of the largest file of a finished snapshot, in octets. */
function snapshotOctets(folder: string): number {
  const finished = readdirSync(folder).filter((file) => /^snapshot-\d+$/.test(file))
  return Math.max(0, ...finished.map((file) => statSync(join(folder, file)).size))
}

/** Prepares PostgreSQL with the zone, and a folder for dnsd. */
export async function prepareDnsd(zone: BenchZone, name = 'dnsd'): Promise<DnsdHome> {
  const service = await prepareService()
  try {
    pinTree(service.postgres.process.pid ?? 0, LOAD_CORES)
    const importSeconds = await importZone(service, zone)
    const folder = join(service.env['DATA_DIR'] ?? '', 'dnsd')
    return {
      service,
      importSeconds,
      async start(settings = {}) {
        const port = await freePort()
        const own = { DNS_HOST: '127.0.0.1', DNS_PORT: String(port), DNS_WORKERS: '1' }
        return startServer(zone, {
          name,
          port,
          command: [process.execPath, '--max-semi-space-size=1', 'dnsd/src/main.ts'],
          cwd: ROOT,
          env: {
            ...service.env,
            NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
            MALLOC_ARENA_MAX: '1',
            ...own,
            ...settings,
          },
        })
      },
      snapshot: () =>
        until(
          'the snapshot',
          async () => snapshotOctets(folder) > zone.names * LEAST_OCTETS_A_NAME,
          SNAPSHOT_LIMIT_SECONDS,
        ),
      forget: () => rmSync(folder, { recursive: true, force: true }),
      close: () => service[Symbol.asyncDispose](),
    }
  } catch (error) {
    await service[Symbol.asyncDispose]()
    throw error
  }
}

/** dnsd as a contender. Its start time is that of a start from its own folder, like every start except the first. */
export function dnsd(name: string, settings: Readonly<Record<string, string>>): Contender {
  return {
    name,
    missing: () => undefined,
    async start(zone) {
      const home = await prepareDnsd(zone, name)
      try {
        const first = await home.start(settings)
        await home.snapshot()
        await first.stop()
        const server = await home.start(settings)
        return {
          ...server,
          async stop() {
            await server.stop()
            await home.close()
          },
        }
      } catch (error) {
        await home.close()
        throw error
      }
    },
  }
}
