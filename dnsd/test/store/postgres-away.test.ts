/* PostgreSQL stopped, frozen or refusing: the loaded state is still served, and following resumes automatically. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../../api/src/database/connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../api/src/stack/postgres.ts'
import { FeedWriter } from '../support/feed-writer.ts'
import { follow, type Following } from '../support/following.ts'

const folder = mkdtempSync(join(tmpdir(), 'homing-away-'))
let postgres: EmbeddedPostgres
let writer: FeedWriter
let zoneId: string
let running: Following | undefined

async function start(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ clusterDir: join(folder, 'postgres'), durable: false })
}

beforeAll(async () => {
  postgres = await start()
  await migrate(postgres.url)
  writer = await FeedWriter.connect(postgres.url)
  zoneId = await writer.addZone('away.test')
})
afterEach(async () => {
  await running?.stop()
})
afterAll(async () => {
  await writer.end()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function following(): Promise<Following> {
  running = follow(postgres.url, { pollMs: 200 })
  await running.follower.current
  return running
}

it('stopped and started again', async () => {
  const f = await following()
  await writer.setAddress(zoneId, 'a.away.test', '192.0.2.1')
  await f.untilAddresses('a.away.test', ['192.0.2.1'])
  await writer.end()
  await postgres.stop()
  await f.until(() => f.follower.state === 'away')
  expect(f.addresses('a.away.test')).toEqual(['192.0.2.1'])
  postgres = await start()
  writer = await FeedWriter.connect(postgres.url)
  await writer.setAddress(zoneId, 'a.away.test', '192.0.2.2')
  await f.untilAddresses('a.away.test', ['192.0.2.2'])
  expect(f.told.filter((line) => line.startsWith('resync'))).toEqual(['resync away.test new-zone'])
})

it('frozen: every process of it stopped', async () => {
  const f = await following()
  const group = -(postgres.process.pid ?? 0)
  const backends = await writer.client.query<{ pid: number }>(
    `select pid from pg_stat_activity where pid <> pg_backend_pid()`,
  )
  const pids = [group, ...backends.rows.map((row) => row.pid)]
  for (const pid of pids) signalIfThere(pid, 'SIGSTOP')
  try {
    await f.until(() => f.follower.state === 'away')
    expect(f.serial('away.test')).toBeGreaterThan(100n)
  } finally {
    for (const pid of pids) signalIfThere(pid, 'SIGCONT')
  }
  await writer.setAddress(zoneId, 'b.away.test', '192.0.2.3')
  await f.untilAddresses('b.away.test', ['192.0.2.3'])
})

// Background processes may have ended meanwhile.
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

it('refusing the password, and then not', async () => {
  await writer.client.query(`create role follower login password 'right' in role homing_dnsd`)
  const url = new URL(postgres.url)
  url.username = 'follower'
  url.password = 'wrong'
  const f = follow(url.href, { pollMs: 200 })
  running = f
  await f.until(() => f.told.some((line) => /source away .*password authentication/.test(line)))
  await writer.client.query(`alter role follower password 'wrong'`)
  await f.follower.current
  expect(f.serial('away.test')).toBe((await following()).serial('away.test'))
  await f.stop()
})

it('a server that accepts connections and never answers', async () => {
  const silent = createServer(() => undefined)
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const f = follow(`postgresql://a:b@127.0.0.1:${address.port}/c`)
  running = f
  await f.until(() => f.told.some((line) => line.startsWith('source away')))
  await f.stop()
  silent.close()
  expect(f.store.isEmpty).toBe(true)
})

it('frozen in the middle of a zone: stopping does not wait for it', async () => {
  const names = Array.from({ length: 5_000 }, (_, n) => ({
    owner: `n${n}.large.test`,
    rdata: ['192.0.2.1'],
  }))
  const large = await writer.addZone('large.test')
  await writer.publish(large, { records: names })
  const proxy = await stallingProxy(Number(new URL(postgres.url).port), 100_000)
  const url = new URL(postgres.url)
  url.port = String(proxy.port)
  const f = follow(url.href)
  await proxy.stalled
  await f.stop()
  proxy.close()
  await writer.removeZone(large)
  expect(f.serial('large.test')).toBeUndefined()
})

/** Passes this many octets of each connection's responses on, and then holds the rest back. */
async function stallingProxy(serverPort: number, limitBytes: number) {
  const stalled = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    let passed = 0
    client.pipe(upstream)
    upstream.on('data', (octets) => {
      passed += octets.length
      if (passed < limitBytes) client.write(octets)
      else stalled.resolve()
    })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port, stalled: stalled.promise, close }
}

it('a standby that sends no notifications is followed nevertheless', async () => {
  const held = (await following()).serial('away.test')
  await running?.stop()
  await writer.end()
  await postgres.stop()
  const copy = join(folder, 'standby')
  for (const each of ['', '.password']) {
    spawnSync('cp', ['-a', join(folder, `postgres${each}`), `${copy}${each}`])
  }
  writeFileSync(join(copy, 'standby.signal'), '')
  const standby = await startEmbeddedPostgres({ clusterDir: copy, durable: false })
  const f = follow(standby.url, { pollMs: 20 })
  await f.follower.current
  expect(f.serial('away.test')).toBe(held)
  expect(f.told.join('\n')).toMatch(/finding The database is a standby/)
  await f.stop()
  await standby.stop()
  postgres = await start()
  writer = await FeedWriter.connect(postgres.url)
})

it('without zones: the loaded zones are kept', async () => {
  const f = await following()
  const serial = f.serial('away.test')
  await writer.client.query('alter view dns_zone rename to dns_zone_kept')
  await f.until(() => f.follower.state === 'away')
  await writer.client.query('create view dns_zone as select * from dns_zone_kept where false')
  await f.until(() => f.follower.state === 'current')
  expect(f.serial('away.test')).toBe(serial)
  await writer.client.query('drop view dns_zone')
  await writer.client.query('alter view dns_zone_kept rename to dns_zone')
})
