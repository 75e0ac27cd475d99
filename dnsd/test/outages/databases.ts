import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { migrate } from '../../../api/src/database/connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../api/src/stack/postgres.ts'
import { FeedWriter } from '../support/feed-writer.ts'
import { DatabaseDoor } from './database-door.ts'

export const ZONE = 'outage.test'
export const MARKER = `marker.${ZONE}`
export const NAMES = 200
const UPDATE_EVERY_MS = 50
const LOOK_MS = 10

/** A PostgreSQL with a zone, copies of it, and one address that always leads a daemon to the primary. */
export class Databases {
  readonly door: DatabaseDoor
  readonly #folder: string
  readonly #durable: boolean
  readonly #running = new Set<EmbeddedPostgres>()
  #clusterDir: string
  #primary: EmbeddedPostgres
  #writer: FeedWriter
  #zoneId = ''
  #published = 0
  #updating: AbortController | undefined
  #updates: Promise<void> = Promise.resolve()

  private constructor(made: {
    folder: string
    durable: boolean
    primary: EmbeddedPostgres
    door: DatabaseDoor
    writer: FeedWriter
  }) {
    this.#folder = made.folder
    this.#durable = made.durable
    this.#clusterDir = join(made.folder, 'primary')
    this.#primary = made.primary
    this.#running.add(made.primary)
    this.door = made.door
    this.#writer = made.writer
  }

  static async open(folder: string, durable: boolean): Promise<Databases> {
    const primary = await startEmbeddedPostgres({ clusterDir: join(folder, 'primary'), durable })
    await migrate(primary.url)
    const door = await DatabaseDoor.open(primary.port)
    const writer = await FeedWriter.connect(primary.url)
    const databases = new Databases({ folder, durable, primary, door, writer })
    await databases.#fill()
    return databases
  }

  /** The connection string for the daemon. */
  get url(): string {
    const url = new URL(this.#primary.url)
    url.port = String(this.door.port)
    return url.href
  }

  /** Gives the marker a new address on the primary. */
  async publishMarker(): Promise<string> {
    this.#published += 1
    const address = `198.51.${100 + (this.#published >> 8)}.${this.#published & 0xff}`
    await this.#writer.setAddress(this.#zoneId, MARKER, address)
    return address
  }

  /** Changes addresses continuously while a primary exists. */
  startUpdates(): void {
    const updating = new AbortController()
    this.#updating = updating
    this.#updates = this.#update(updating.signal)
  }

  async stopUpdates(): Promise<void> {
    this.#updating?.abort()
    await this.#updates
  }

  async query(sql: string): Promise<number> {
    const { rowCount } = await this.#writer.client.query(sql)
    return rowCount ?? 0
  }

  async stopPrimary(): Promise<void> {
    await this.stopUpdates()
    await this.#writer.end()
    await this.#primary.stop()
    this.#running.delete(this.#primary)
  }

  async killPrimary(): Promise<void> {
    await this.stopUpdates()
    this.#primary.process.kill('SIGKILL')
    await this.#primary.ended
    this.#running.delete(this.#primary)
    await this.#writer.end().catch(() => undefined)
  }

  /** Starts the same server again, on the same port. */
  async startPrimary(): Promise<void> {
    const { port } = this.#primary
    await this.#lead(await this.#start(this.#clusterDir, { port }))
  }

  /** Stops the primary and copies it into clusters of these names. */
  async clone(...names: readonly string[]): Promise<void> {
    await this.stopPrimary()
    for (const name of names) {
      for (const part of ['', '.password']) {
        // Keeps the owner, which is not the user of this process.
        spawnSync('cp', ['-a', this.#clusterDir + part, join(this.#folder, name + part)])
      }
    }
    await this.startPrimary()
  }

  /** Starts a copy as a replica that follows the primary. */
  async startStandby(name: string): Promise<EmbeddedPostgres> {
    const { hostname, port, username, password } = new URL(this.#primary.url)
    const clusterDir = join(this.#folder, name)
    writeFileSync(join(clusterDir, 'standby.signal'), '')
    const conninfo = `host=${hostname} port=${port} user=${username} password=${password}`
    return this.#start(clusterDir, { settings: { primary_conninfo: conninfo } })
  }

  /** Makes an unchanged copy the primary. */
  async startCopy(name: string): Promise<void> {
    this.#clusterDir = join(this.#folder, name)
    await this.#lead(await this.#start(this.#clusterDir, {}))
  }

  /** Makes a replica the primary. */
  async promote(standby: EmbeddedPostgres): Promise<void> {
    await onServer(standby, 'select pg_promote()')
    await this.#lead(standby)
  }

  async close(): Promise<void> {
    await this.stopUpdates()
    await this.door.close()
    await this.#writer.end().catch(() => undefined)
    for (const postgres of this.#running) await postgres.stop()
  }

  async #fill(): Promise<void> {
    this.#zoneId = await this.#writer.addZone(ZONE)
    const hosts = Array.from({ length: NAMES }, (_, n) => `host-${n}.${ZONE}`)
    const records = [...hosts, MARKER].map((owner) => ({ owner, rdata: ['192.0.2.1'] }))
    await this.#writer.publish(this.#zoneId, { records })
  }

  async #start(
    clusterDir: string,
    options: { port?: number; settings?: Record<string, string> },
  ): Promise<EmbeddedPostgres> {
    for (let attempt = 1; ; attempt++) {
      try {
        const server = await startEmbeddedPostgres({
          clusterDir,
          durable: this.#durable,
          ...options,
        })
        this.#running.add(server)
        return server
      } catch (error) {
        // After a kill, its sessions notice the death a moment later, and use its memory until then.
        if (attempt === 10) throw error
      }
    }
  }

  async #lead(primary: EmbeddedPostgres): Promise<void> {
    this.#primary = primary
    this.#writer = await FeedWriter.connect(primary.url)
    this.door.leadTo(primary.port)
  }

  async #update(signal: AbortSignal): Promise<void> {
    for (let n = 0; !signal.aborted; n++) {
      const owner = `host-${n % NAMES}.${ZONE}`
      await this.#writer.setAddress(this.#zoneId, owner, `192.0.2.${n % 250}`)
      await delay(UPDATE_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

/** Runs one statement on a server. */
export async function onServer(server: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Waits until a condition is true. */
export async function until(
  what: string,
  probe: () => Promise<boolean> | boolean,
  limitMs = 60_000,
): Promise<void> {
  const endsAt = performance.now() + limitMs
  while (!(await probe())) {
    if (performance.now() > endsAt) throw new Error(`${what}: not within ${limitMs} ms`)
    await delay(LOOK_MS)
  }
}
