import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type RunningDaemon, startDaemon } from '../support/daemon.ts'
import { Databases, MARKER, NAMES, until, ZONE } from './databases.ts'
import { Load } from './load.ts'

const DISK_BYTES = 32 * 1024 * 1024

export interface WorldOptions {
  /** The rate of queries. */
  readonly perSecond: number
  /** Whether PostgreSQL keeps acknowledged data when it is killed. */
  readonly durable: boolean
}

interface Files {
  readonly folder: string
  readonly dataDir: string
  readonly hasOwnDisk: boolean
}

type Settings = Readonly<Record<string, string>>

/** A daemon that answers and follows, its databases at one address, and a load of queries. */
export class OutageWorld {
  readonly databases: Databases
  readonly load: Load
  readonly #files: Files
  readonly #settings: Settings
  #daemon: RunningDaemon
  #earlierLog = ''

  private constructor(made: {
    files: Files
    settings: Settings
    databases: Databases
    daemon: RunningDaemon
    load: Load
  }) {
    this.#files = made.files
    this.#settings = made.settings
    this.databases = made.databases
    this.#daemon = made.daemon
    this.load = made.load
  }

  static async open({ perSecond, durable }: WorldOptions): Promise<OutageWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'homing-outages-'))
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    // Without this permission the disk cannot be filled, which the outage of that name reports.
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'none', dataDir])
    const hasOwnDisk = mount.status === 0
    const files = { folder, dataDir, hasOwnDisk }
    try {
      const databases = await Databases.open(folder, durable)
      const port = await freePort()
      const settings = {
        DATABASE_URL: databases.url,
        DNS_PORT: String(port),
        DNS_METRICS_PORT: String(await freePort()),
        RATE_LIMITS: 'off',
      }
      const daemon = await startDaemon(dataDir, settings)
      await daemon.ready
      const load = await Load.begin({ port, zone: ZONE, names: NAMES, perSecond })
      load.resume()
      return new OutageWorld({ files, settings, databases, daemon, load })
    } catch (error) {
      removeFiles(files)
      throw error
    }
  }

  /** The folder of the daemon's files. */
  get dataDir(): string {
    return this.#files.dataDir
  }

  /** Whether that is a small separate disk, which can be filled. */
  get hasOwnDisk(): boolean {
    return this.#files.hasOwnDisk
  }

  /** The log of the daemons so far, in lines of JSON. */
  get log(): string {
    return this.#earlierLog + this.#daemon.log()
  }

  /** Kills the daemon. No query is sent until another daemon runs. */
  async killDaemon(): Promise<void> {
    await this.load.pause()
    this.#daemon.process.kill('SIGKILL')
    await this.#daemon.ended
    this.#earlierLog = this.log
  }

  /** Starts another daemon over the same files. */
  async startDaemon(environment: Settings = {}): Promise<void> {
    this.#daemon = await startDaemon(this.dataDir, { ...this.#settings, ...environment })
    await this.#daemon.ready
    this.load.resume()
  }

  /** A figure of the daemon's metrics, 0 if it is missing: `log_writable`, `source_state{state="away"}`. */
  async metric(name: string): Promise<number> {
    const page = await fetch(`http://127.0.0.1:${this.#settings['DNS_METRICS_PORT']}/metrics`)
    const start = `homing_dnsd_${name} `
    const line = (await page.text()).split('\n').find((each) => each.startsWith(start))
    return Number(line?.slice(start.length) ?? 0)
  }

  /** Publishes a change and waits until DNS answers with it. @returns milliseconds */
  async catchUp(): Promise<number> {
    const beganMs = performance.now()
    const address = await this.databases.publishMarker()
    await until(`${MARKER} is ${address}`, async () => {
      const found = await this.#daemon.resolver.resolve4(MARKER).catch(() => [])
      return found[0] === address
    })
    await until('it is current', async () => {
      const [isCurrent, lag] = await Promise.all([
        this.metric('source_state{state="current"}'),
        this.metric(`lag_serials{zone="${ZONE}"}`),
      ])
      return isCurrent === 1 && lag === 0
    })
    return performance.now() - beganMs
  }

  async close(): Promise<void> {
    await this.load.end()
    await this.databases.stopUpdates()
    this.#daemon.process.kill('SIGKILL')
    await this.#daemon.ended
    await this.databases.close()
    removeFiles(this.#files)
  }
}

function removeFiles({ folder, dataDir, hasOwnDisk }: Files): void {
  if (hasOwnDisk) spawnSync('umount', [dataDir])
  rmSync(folder, { recursive: true, force: true })
}
