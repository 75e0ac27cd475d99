/* dnsd as a process: its start, its stop, its lock, and its messages when it cannot start. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createSocket } from 'node:dgram'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { freePort, type RunningDaemon, startDaemon } from '../support/daemon.ts'
import { FeedWriter } from '../support/feed-writer.ts'
import { read } from '../support/ask.ts'
import { requestOctets } from '../support/request-octets.ts'

const NOWHERE = 'postgresql://nobody:nothing@127.0.0.1:9/nowhere'

let database: TestDatabase
let writer: FeedWriter
let zoneId: string
const folder = mkdtempSync(join(tmpdir(), 'homing-dnsd-'))
const running: RunningDaemon[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  writer = await FeedWriter.connect(database.url)
  zoneId = await writer.addZone('process.test')
  await writer.setAddress(zoneId, 'a.process.test', '192.0.2.1')
})
afterEach(async () => {
  for (const daemon of running.splice(0)) {
    daemon.process.kill('SIGKILL')
    await daemon.ended
  }
})
afterAll(async () => {
  await writer.end()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(name: string, environment: Record<string, string>): Promise<RunningDaemon> {
  const daemon = await startDaemon(join(folder, name), environment)
  running.push(daemon)
  return daemon
}

async function started(name: string, url: string): Promise<RunningDaemon> {
  const daemon = await start(name, { DATABASE_URL: url })
  await daemon.ready
  return daemon
}

/** Publishes an address and waits until DNS answers with it. */
async function publishAndSee(daemon: RunningDaemon, name: string, address: string): Promise<void> {
  await writer.setAddress(zoneId, name, address)
  for (let answer = ''; answer !== address;) {
    answer = (await daemon.resolver.resolve4(name).catch(() => []))[0] ?? ''
  }
}

describe('the life cycle', () => {
  it('starts, answers, follows, stops with 0, and starts again without PostgreSQL', async () => {
    const daemon = await started('life', database.url)
    expect(await daemon.resolver.resolve4('a.process.test')).toEqual(['192.0.2.1'])
    await publishAndSee(daemon, 'b.process.test', '192.0.2.2')
    daemon.process.kill('SIGINT')
    daemon.process.kill('SIGTERM')
    daemon.process.kill('SIGINT')
    expect(await daemon.ended).toBe(0)

    const alone = await started('life', NOWHERE)
    expect(await alone.resolver.resolve4('b.process.test')).toEqual(['192.0.2.2'])
    await expect(alone.resolver.resolve4('none.process.test')).rejects.toThrow(/ENOTFOUND/)
    await alone.untilLogged(/The database is away/)
  })

  it('killed at once after an answer, it still has the answered state', async () => {
    for (let round = 1; round <= 3; round++) {
      const daemon = await started('killed', database.url)
      await publishAndSee(daemon, 'c.process.test', `192.0.2.${round}`)
      daemon.process.kill('SIGKILL')
      expect(await daemon.ended).toBe('SIGKILL')
      const alone = await started('killed', NOWHERE)
      expect(await alone.resolver.resolve4('c.process.test')).toEqual([`192.0.2.${round}`])
      alone.process.kill('SIGKILL')
      await alone.ended
    }
  })

  it('without zones and without PostgreSQL it refuses queries, and catches up later', async () => {
    const late = join(folder, 'late', 'run')
    mkdirSync(late, { recursive: true })
    writeFileSync(join(late, 'database-url'), NOWHERE)
    const daemon = await start('late', {})
    await daemon.untilLogged(/Answering on/)
    await expect(daemon.resolver.resolve4('a.process.test')).rejects.toThrow(/EREFUSED/)
    expect(daemon.log()).not.toMatch(/"msg":"Ready\."/)
    writeFileSync(join(late, 'database-url'), database.url)
    await daemon.ready
    expect(await daemon.resolver.resolve4('a.process.test')).toEqual(['192.0.2.1'])
  })
})

describe('a failed start', () => {
  it('a second dnsd on the same folder stops with one line', async () => {
    await started('locked', database.url)
    const second = await start('locked', { DATABASE_URL: database.url })
    expect(await second.ended).toBe(1)
    expect(second.log().trim().split('\n')).toEqual([
      expect.stringMatching(/locked\/dnsd is in use by another dnsd/),
    ])
  })

  it('a port in use is reported', async () => {
    const first = await started('first-port', database.url)
    const { port } = first
    const second = await start('second-port', {
      DATABASE_URL: database.url,
      DNS_PORT: String(port),
    })
    expect(await second.ended).toBe(1)
    expect(second.log()).toMatch(new RegExp(`EADDRINUSE[^\\n]*127\\.0\\.0\\.1:${port}`))
  })

  it('neither zones nor a database', async () => {
    const daemon = await start('nothing', {})
    expect(await daemon.ended).toBe(78)
    expect(daemon.log()).toMatch(/DATABASE_URL is not set; it takes a URL/)
  })

  it('an invalid variable', async () => {
    const daemon = await start('variable', { DNS_HOST: '127.0.0.1,localhost' })
    expect(await daemon.ended).toBe(78)
    expect(daemon.log()).toBe(
      'DNS_HOST is "127.0.0.1,localhost"; it takes a comma list of IPv4 and IPv6 addresses\n',
    )
  })
})

describe('signals', () => {
  it('SIGHUP reloads the settings, and an invalid file changes nothing', async () => {
    const file = join(folder, 'settings.yaml')
    writeFileSync(file, 'identity: one\n')
    const daemon = await start('hup', { DATABASE_URL: database.url, DNS_SETTINGS: file })
    await daemon.ready
    const identity = async () => identityOf(await exchange(daemon.port, [IDENTITY]))
    expect(await identity()).toBe('one')
    writeFileSync(file, 'identity: two\n')
    daemon.process.kill('SIGHUP')
    await daemon.untilLogged(/settings in .* were reloaded/)
    // Each worker is notified separately, and chance decides which one answers: all of many queries get the new answer
    // once both were notified.
    const identities = async () => new Set(await Promise.all(Array.from({ length: 32 }, identity)))
    while ((await identities()).has('one'));
    writeFileSync(file, 'identity: [\n')
    daemon.process.kill('SIGHUP')
    await daemon.untilLogged(/The settings stay as they were/)
    expect(await identities()).toEqual(new Set(['two']))
  })

  it('SIGTERM: received packets are answered', async () => {
    const daemon = await started('term', database.url)
    const questions = Array.from({ length: 40 }, (_, id) =>
      requestOctets('a.process.test', 'A', { id }),
    )
    const answers = await exchange(daemon.port, questions, () => daemon.process.kill('SIGTERM'))
    expect(answers).toHaveLength(40)
    expect(await daemon.ended).toBe(0)
  })
})

const CLASS_CH = 3
const IDENTITY = requestOctets('id.server', 'TXT', { qclass: CLASS_CH })

/** Sends packets, and resolves with their responses; `sent` is called when all of them are in the kernel. */
async function exchange(
  port: number,
  packets: readonly Buffer[],
  sent = (): unknown => undefined,
): Promise<Buffer[]> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 })
  const answers: Buffer[] = []
  const all = new Promise<void>((resolve) => {
    socket.on('message', (answer) => {
      answers.push(answer)
      if (answers.length === packets.length) resolve()
    })
  })
  for (const packet of packets) {
    await new Promise((done) => socket.send(packet, port, '127.0.0.1', done))
  }
  sent()
  await all
  socket.close()
  return answers
}

/** The text of the one TXT record, which ends the response. */
function identityOf([answer = Buffer.alloc(0)]: readonly Buffer[]): string {
  return read(answer).answer[0]?.split('"')[1] ?? ''
}

describe('the metrics port', () => {
  it('shows the answers, the position in the feed, and digests', async () => {
    const port = await freePort()
    const daemon = await start('metrics', {
      DATABASE_URL: database.url,
      DNS_METRICS_PORT: String(port),
    })
    await daemon.ready
    await daemon.resolver.resolve4('a.process.test')
    const get = async (path: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${port}${path}`, { method })
    const text = await (await get('/metrics')).text()
    expect(text).toMatch(
      /homing_dnsd_queries_total\{transport="udp",rcode="NOERROR",type="A"\} [1-9]/,
    )
    expect(text).toMatch(/homing_dnsd_answer_seconds_bucket\{le="\+Inf"\} [1-9]/)
    expect(text).toMatch(/homing_dnsd_answer_octets_total\{transport="udp"\} [1-9]/)
    expect(text).toContain('homing_dnsd_dropped_total{reason="no-request"} 0')
    expect(text).toContain('homing_dnsd_source_state{state="current"} 1')
    expect(text).toContain('homing_dnsd_lag_serials{zone="process.test"} 0')
    const digest = await (await get('/zones/Process.test/digest')).json()
    expect(digest).toMatchObject({
      names: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect((await get('/zones/other.test/digest')).status).toBe(404)
    expect((await get('/zones/%00/digest')).status).toBe(404)
    expect((await get('/')).status).toBe(404)
    expect((await get('/metrics', 'POST')).status).toBe(405)
  })
})
