/**
 * 1,000 own zones on one dnsd: the time from its start until it answers for all of them, from PostgreSQL and from its
 * snapshot; its memory beside one with a single zone; the transfer of all zones; and how long a zone with another owner
 * takes until DNS serves it.
 */
import type { ChildProcess } from 'node:child_process'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ask } from '@homing/dnsd/client'
import type { Client } from 'pg'
import { treeMiB } from './support/process-tree.ts'
import { atMost, report } from './support/report.ts'
import { median } from './support/rounds.ts'
import { type BenchService, freePort, prepareService, until } from './support/service.ts'

const ZONES = 1_000
const RECORDS = 20
const STARTS = 3
const REPLACED = 20
/** A change of an owner must be served within a poll of dnsd. */
const REPLACED_LIMIT_SECONDS = 2

const run = promisify(execFile)
const zoneName = (n: number) => `zone${n}.example`

/** Own zones as a proof leaves them: name servers, glue, and records of their owner. */
const INSERT = `
  with owner as (
    insert into users (username, email, password_hash, account_type) values ('bench', 'bench@mail.test', '', 'elite') returning id
  ), made as (
    insert into zones (name, is_own, offered, owner_id, soa_mname, soa_rname)
    select 'zone' || n || '.example', true, false, owner.id, 'ns1.zone' || n || '.example', 'hostmaster.zone' || n || '.example'
    from owner, generate_series(1, $1::int) n returning id, name, owner_id
  ), serials as (
    insert into zone_serials (zone_id, serial, feed_id, token, previous_token)
    select id, 1, '00000000-0000-4000-8000-000000000001', gen_random_uuid(), gen_random_uuid() from made
  ), servers as (
    insert into records (zone_id, owner, type, ttl, rdata, origin)
    select id, name, 'NS', 3600, array['ns1.' || name || '.', 'ns2.' || name || '.'], 'system' from made
    union all select id, 'ns1.' || name, 'A', 3600, '{192.0.2.53}', 'system' from made
    union all select id, 'ns2.' || name, 'A', 3600, '{192.0.2.54}', 'system' from made
  )
  insert into records (zone_id, owner, type, ttl, rdata, origin, user_id)
  select id, 'r' || n || '.' || name, 'TXT', 3600, array['"record ' || n || '"'], 'user', owner_id
  from made, generate_series(1, $2::int) n`

interface Daemon {
  readonly port: number
  readonly seconds: number
  readonly memoryMiB: () => number
  stop(): Promise<void>
}

async function answers(port: number, zone: string, name = `ns1.${zone}`): Promise<boolean> {
  const server = { address: '127.0.0.1', port }
  const answer = await ask({ name, type: 'A' }, [server], { tries: 1, attemptMs: 500 })
  return answer.rcode === 'NOERROR' && answer.answers.length > 0
}

/** Starts dnsd and waits until it answers for every zone. */
async function startDnsd(service: BenchService, zones: number, folder: string): Promise<Daemon> {
  const port = await freePort()
  const begun = performance.now()
  const part: ChildProcess = service.start('dnsd/src/main.ts', {
    DNS_HOST: '127.0.0.1',
    DNS_PORT: String(port),
    DNS_WORKERS: '1',
    DATA_DIR: folder,
    DNS_SETTINGS: join(service.env['DATA_DIR'] ?? '', 'dnsd.yaml'),
  })
  for (let n = 1; n <= zones; n += 1) {
    await until(zoneName(n), async () => answers(port, zoneName(n)), 60)
  }
  return {
    port,
    seconds: (performance.now() - begun) / 1_000,
    memoryMiB: () => treeMiB(part.pid ?? 0),
    async stop() {
      const gone = once(part, 'exit')
      part.kill('SIGTERM')
      await gone
    },
  }
}

const hasSnapshot = async (folder: string) =>
  readdirSync(join(folder, 'dnsd')).some((file) => /^snapshot-\d+$/.test(file))

/** Seconds that `dig` takes to transfer all zones, one after the other. */
async function transferSeconds(port: number, folder: string): Promise<number> {
  const file = join(folder, 'transfers')
  const lines = Array.from({ length: ZONES }, (_, n) => `${zoneName(n + 1)} AXFR`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  const begun = performance.now()
  const { stdout } = await run(
    'dig',
    ['@127.0.0.1', '-p', String(port), '+noall', '+answer', '-f', file],
    { maxBuffer: 256 * 1_024 * 1_024 },
  )
  const seconds = (performance.now() - begun) / 1_000
  const records = stdout.split('\n').filter((line) => line.includes('TXT')).length
  if (records !== ZONES * RECORDS) throw new Error(`${records} records were transferred`)
  return seconds
}

/** Replaces a zone, as a change of its owner does. @returns seconds until DNS serves the new one */
async function replacedSeconds(client: Client, port: number, zone: string): Promise<number> {
  const begun = performance.now()
  await client.query('begin')
  await client.query(
    'delete from zone_serials where zone_id = (select id from zones where name = $1)',
    [zone],
  )
  await client.query('delete from zones where name = $1', [zone])
  const { rows } = await client.query<{ id: string }>(
    `insert into zones (name, is_own, offered, soa_mname, soa_rname) values ($1, true, false, 'ns1.' || $1, 'h.' || $1) returning id`,
    [zone],
  )
  const id = rows[0]?.id
  await client.query(
    `insert into zone_serials (zone_id, serial, feed_id, token, previous_token)
     values ($1, 100, '00000000-0000-4000-8000-000000000001', gen_random_uuid(), gen_random_uuid())`,
    [id],
  )
  await client.query(
    `insert into records (zone_id, owner, type, ttl, rdata, origin) values ($1, 'new.' || $2, 'A', 60, '{192.0.2.1}', 'system')`,
    [id, zone],
  )
  await client.query(`select publish_owners($1, array['new.' || $2], '{}')`, [id, zone])
  await client.query('commit')
  await until('the new zone', async () => answers(port, zone, `new.${zone}`))
  return (performance.now() - begun) / 1_000
}

await using service = await prepareService()
const dataDir = service.env['DATA_DIR'] ?? ''
writeFileSync(
  join(dataDir, 'dnsd.yaml'),
  'transfers:\n  - zones: ["*"]\n    allow: [{ networks: ["127.0.0.0/8"] }]\n',
)
const client = await service.connect()

await client.query(INSERT, [1, RECORDS])
const single = await startDnsd(service, 1, join(dataDir, 'single'))
const singleMiB = single.memoryMiB()
await single.stop()
await client.query(
  `delete from zones; delete from zone_serials; delete from users where username = 'bench'`,
)

await client.query(INSERT, [ZONES, RECORDS])
await client.query('analyze')
const folder = join(dataDir, 'many')
const fromPostgres: number[] = []
const fromSnapshot: number[] = []
for (let n = 0; n < STARTS; n += 1) {
  rmSync(folder, { recursive: true, force: true })
  const first = await startDnsd(service, ZONES, folder)
  fromPostgres.push(first.seconds)
  await until('the snapshot', () => hasSnapshot(folder), 120)
  await first.stop()
  const second = await startDnsd(service, ZONES, folder)
  fromSnapshot.push(second.seconds)
  await second.stop()
}
const daemon = await startDnsd(service, ZONES, folder)
const memoryMiB = daemon.memoryMiB()
const transfers = await transferSeconds(daemon.port, dataDir)
const replaced: number[] = []
for (let n = 1; n <= REPLACED; n += 1) {
  replaced.push(await replacedSeconds(client, daemon.port, zoneName(n)))
}
await daemon.stop()

const slowest = Math.max(...replaced)
report(
  'own-zones',
  [
    {
      what: `start from PostgreSQL until ${ZONES} zones answer`,
      value: median(fromPostgres),
      unit: 's',
    },
    { what: 'the same from the snapshot', value: median(fromSnapshot), unit: 's' },
    { what: 'memory with one zone (PSS)', value: singleMiB, unit: 'MiB' },
    { what: `memory with ${ZONES} zones of ${RECORDS + 3} RRsets`, value: memoryMiB, unit: 'MiB' },
    { what: 'memory for each zone', value: ((memoryMiB - singleMiB) * 1_024) / ZONES, unit: 'KiB' },
    { what: `AXFR of ${ZONES} zones, one after the other`, value: transfers, unit: 's' },
    { what: 'AXFR of a zone', value: (transfers * 1_000) / ZONES, unit: 'ms' },
    {
      what: 'a zone with another owner until DNS serves it, median',
      value: median(replaced),
      unit: 's',
    },
    { what: 'the same, slowest', value: slowest, unit: 's' },
  ],
  [atMost('seconds until a zone with another owner is served', slowest, REPLACED_LIMIT_SECONDS)],
)
