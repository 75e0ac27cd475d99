/*
 * The outages of a daemon, each with a beginning and an end. During an outage the daemon answers and reports it;
 * afterwards it catches up automatically.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type EmbeddedPostgres } from '../../../api/src/stack/postgres.ts'
import { onServer, until, ZONE } from './databases.ts'
import type { OutageWorld } from './world.ts'

export interface Outage {
  readonly name: string
  /** The required programs, as for `needs`. */
  readonly needs?: readonly string[]
  begin(world: OutageWorld): Promise<void>
  /** The log line that reports the outage. */
  readonly told: RegExp
  /** Resolves when the metrics also report it. */
  shown(world: OutageWorld): Promise<void>
  end(world: OutageWorld): Promise<void>
  /** The database was reset to an older state, and the daemon must follow it. */
  readonly goesBack?: true
  /** The log line that reports the outcome. */
  readonly toldAfterwards?: RegExp
  /** The recovery takes longer than a test may wait. */
  recovered?(world: OutageWorld): Promise<void>
  /** The quick test that covers the same outage, so that it does not run twice. */
  readonly testedIn?: string
}

const AWAY = /The database is away/

/** The library of the program `faketime`; its folder differs between machines. */
function fakeTimeLibrary(): string {
  const { stdout } = spawnSync('sh', ['-c', 'ls /usr/lib/*/faketime/libfaketime.so.1'], {
    encoding: 'utf8',
  })
  const [file = ''] = stdout.split('\n')
  return file
}

const shownAs = (metric: string, value: number) => async (world: OutageWorld) =>
  until(`${metric} is ${value}`, async () => (await world.metric(metric)) === value)
const shownAway = shownAs('source_state{state="away"}', 1)
const nothing = async (): Promise<void> => undefined

const stopped: Outage = {
  name: 'PostgreSQL stopped, and started again',
  begin: ({ databases }) => databases.stopPrimary(),
  told: AWAY,
  shown: shownAway,
  end: ({ databases }) => databases.startPrimary(),
  testedIn: 'postgres-away.test.ts',
}

const killed: Outage = {
  name: 'PostgreSQL killed (kill -9)',
  begin: ({ databases }) => databases.killPrimary(),
  told: AWAY,
  shown: shownAway,
  end: ({ databases }) => databases.startPrimary(),
  testedIn: 'postgres-away.test.ts',
}

const passage = (name: string, how: 'closed' | 'silent' | 'slow'): Outage => ({
  name,
  ...(how === 'slow' ? {} : { testedIn: 'postgres-away.test.ts' }),
  begin: async ({ databases }) => databases.door.set(how),
  told: AWAY,
  shown: shownAway,
  end: async ({ databases }) => databases.door.set('open'),
})

const lostListen: Outage = {
  name: 'the connection that listens is lost',
  async begin({ databases }) {
    await until('a connection was ended', async () => {
      const sql = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'homing-dnsd'`
      return (await databases.query(sql)) > 0
    })
  },
  told: AWAY,
  shown: nothing,
  end: nothing,
}

let standby: EmbeddedPostgres | undefined

function theStandby(): EmbeddedPostgres {
  if (standby === undefined)
    throw new Error('the replica that is behind comes before the one that takes over')
  return standby
}

/** From the primary to a replica that has less: the served state stays. */
const behind: Outage = {
  name: 'a read replica that is behind',
  async begin(world) {
    const { databases } = world
    await databases.stopUpdates()
    standby = await databases.startStandby('standby')
    const replica = standby
    await until('it follows', async () => {
      const rows = await onServer(
        replica,
        `select from pg_stat_wal_receiver where status = 'streaming'`,
      )
      return rows.length === 1
    })
    await onServer(replica, 'select pg_wal_replay_pause()')
    await until('it stands', async () => {
      const [row] = await onServer(replica, 'select pg_get_wal_replay_pause_state() as state')
      return (row as { state: string }).state === 'paused'
    })
    await world.catchUp()
    databases.door.leadTo(replica.port)
  },
  told: /The database is a standby/,
  shown: (world) =>
    until(
      'serials are missing there',
      async () => (await world.metric(`lag_serials{zone="${ZONE}"}`)) < 0,
    ),
  async end() {
    await onServer(theStandby(), 'select pg_wal_replay_resume()')
  },
}

const failover: Outage = {
  name: 'the primary is lost, its replica takes over',
  async begin({ databases }) {
    await until('the replica has it all', async () => {
      const rows = await onServer(
        theStandby(),
        'select from pg_stat_wal_receiver where latest_end_lsn is not null',
      )
      return rows.length === 1
    })
    await databases.killPrimary()
    databases.door.set('closed')
  },
  told: AWAY,
  shown: shownAway,
  async end({ databases }) {
    databases.door.set('open')
    await databases.promote(theStandby())
  },
}

const older: Outage = {
  name: 'the database comes back in an older state',
  begin: ({ databases }) => databases.stopPrimary(),
  told: AWAY,
  shown: shownAway,
  end: ({ databases }) => databases.startCopy('older'),
  goesBack: true,
  toldAfterwards: /must be read completely: (serial-went-back|history-differs)/,
}

const FILLER = 'filler'

const fullDisk: Outage = {
  name: 'the disk is full: log and snapshot',
  needs: ['root'],
  async begin(world) {
    if (!world.hasOwnDisk) throw new Error('mounting a disk to fill was refused')
    const chunk = Buffer.alloc(64 * 1024)
    const file = join(world.dataDir, FILLER)
    for (let bytes = chunk.length; bytes > 0;) {
      try {
        writeFileSync(file, chunk.subarray(0, bytes), { flag: 'a' })
      } catch {
        bytes >>= 1
      }
    }
    // Changes are still served.
    await world.catchUp()
  },
  told: /The log cannot be written/,
  shown: shownAs('log_writable', 0),
  end: async ({ dataDir }) => rmSync(join(dataDir, FILLER)),
  recovered: shownAs('log_writable', 1),
}

const tornSnapshot: Outage = {
  name: 'killed, its snapshot torn, without PostgreSQL',
  async begin(world) {
    await world.killDaemon()
    world.databases.door.set('closed')
    const folder = join(world.dataDir, 'dnsd')
    const snapshots = readdirSync(folder).filter((name) => /^snapshot-\d+$/.test(name))
    const file = join(folder, snapshots.sort().at(-1) ?? '')
    truncateSync(file, Math.floor(statSync(file).size / 2))
    await world.startDaemon()
  },
  told: /snapshot-\d+/,
  shown: shownAway,
  end: async ({ databases }) => databases.door.set('open'),
}

const clockFile = ({ dataDir }: OutageWorld) => join(dataDir, '..', 'clock')
const LAST_OF_31_BITS = 0x7fff_ffff
const PAST_IT_MS = 1_500

/** Cookies and signatures use the time of day. Spans use a monotonic clock and stay correct. */
const clock: Outage = {
  name: 'the clock: an hour ahead, two back, past 2038',
  needs: ['faketime'],
  async begin(world) {
    const jump = async (offset: string) => {
      writeFileSync(clockFile(world), `${offset}\n`)
      await world.catchUp()
    }
    writeFileSync(clockFile(world), '+0\n')
    await world.killDaemon()
    await world.startDaemon({
      LD_PRELOAD: fakeTimeLibrary(),
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_NO_CACHE: '1',
      FAKETIME_TIMESTAMP_FILE: clockFile(world),
    })
    for (const offset of ['+1h', '-1h']) await jump(offset)
    await jump(`+${LAST_OF_31_BITS - Math.floor(Date.now() / 1_000)}`)
    await delay(PAST_IT_MS)
  },
  told: /Ready/,
  shown: shownAs('source_state{state="current"}', 1),
  end: async (world) => writeFileSync(clockFile(world), '+0\n'),
}

/**
 * The order matters: a replica that is behind takes over, and the changes that a full disk lost must not be needed
 * again.
 */
export const OUTAGES: readonly Outage[] = [
  stopped,
  killed,
  passage('PostgreSQL refuses connections', 'closed'),
  passage('PostgreSQL answers after four seconds', 'slow'),
  passage('PostgreSQL says nothing any more', 'silent'),
  lostListen,
  tornSnapshot,
  clock,
  behind,
  failover,
  older,
  fullDisk,
]
