/* dnsd as a process whose newest log lost its content, as seen by clients, secondaries and operators. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { ask } from '../../src/client/index.ts'
import { HEADER_BYTES } from '../../src/store/disk/file-format.ts'
import { freePort, type RunningDaemon, startDaemon } from '../support/daemon.ts'
import { FeedWriter } from '../support/feed-writer.ts'

const NOWHERE = 'postgresql://nobody:nothing@127.0.0.1:9/nowhere'
const NOT_READY = [{ code: 14, text: '' }]

let database: TestDatabase
let writer: FeedWriter
const folder = mkdtempSync(join(tmpdir(), 'homing-lost-'))
const settings = join(folder, 'settings.yaml')
const running: RunningDaemon[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  writer = await FeedWriter.connect(database.url)
  writeFileSync(settings, 'transfers:\n  - { zones: ["*"], allow: [{ networks: [127.0.0.1] }] }\n')
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

interface Daemon extends RunningDaemon {
  /** Code of the answer, and its records or extended errors. */
  readonly said: (name: string, type?: string) => Promise<unknown[]>
  readonly isIncomplete: (zone: string) => Promise<boolean>
  readonly stop: () => Promise<void>
}

async function started(name: string, url: string): Promise<Daemon> {
  const metricsPort = await freePort()
  const daemon = await startDaemon(join(folder, name), {
    DATABASE_URL: url,
    DNS_SETTINGS: settings,
    DNS_METRICS_PORT: String(metricsPort),
  })
  running.push(daemon)
  await daemon.ready
  const server = { address: '127.0.0.1', port: daemon.port }
  return {
    ...daemon,
    async said(owner, type = 'A') {
      const transport = type === 'AXFR' ? 'tcp' : 'udp'
      const answer = await ask({ name: owner, type }, [server], { transport })
      const { rcode, extendedErrors, answers } = answer
      return [rcode, ...extendedErrors, ...answers.map(({ data }) => data)]
    },
    async isIncomplete(zone) {
      const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
      return (await metrics.text()).includes(`homing_dnsd_zone_incomplete{zone="${zone}"} 1`)
    },
    async stop() {
      daemon.process.kill('SIGTERM')
      expect(await daemon.ended).toBe(0)
    },
  }
}

const DAMAGES: [string, (log: string) => void][] = [
  ['emptied', (log) => truncateSync(log, 0)],
  ['cut before its first record', (log) => truncateSync(log, HEADER_BYTES)],
  [
    'replaced by a directory',
    (log) => {
      rmSync(log)
      mkdirSync(log)
    },
  ],
]

it.each(DAMAGES)('%s', async (what, damage) => {
  const name = what.replaceAll(' ', '-')
  const zone = `${name}.test`
  const zoneId = await writer.addZone(zone)
  await writer.setAddress(zoneId, `old.${zone}`, '192.0.2.1')
  await writer.setAddress(zoneId, `*.${zone}`, '192.0.2.2')
  const whole = await started(name, database.url)
  await whole.untilLogged(/A snapshot of \d{3,} octets/)
  await writer.setAddress(zoneId, `new.${zone}`, '192.0.2.3')
  while ((await whole.said(`new.${zone}`))[1] !== '192.0.2.3');
  await whole.stop()
  const disk = join(folder, name, 'dnsd')
  const [log = ''] = readdirSync(disk)
    .filter((file) => /^log-\d+$/.test(file))
    .toSorted()
    .toReversed()
  damage(join(disk, log))

  for (let restart = 1; restart <= 2; restart++) {
    const alone = await started(name, NOWHERE)
    expect(alone.log()).toMatch(/Zones are incomplete until they are read from the database/)
    expect(await alone.said(`new.${zone}`)).toEqual(['SERVFAIL', ...NOT_READY])
    expect(await alone.said(`nobody.${zone}`, 'TXT')).toEqual(['SERVFAIL', ...NOT_READY])
    expect(await alone.said(`old.${zone}`)).toEqual(['NOERROR', '192.0.2.1'])
    expect(await alone.said(zone, 'AXFR')).toEqual(['REFUSED', ...NOT_READY])
    expect(await alone.isIncomplete(zone)).toBe(true)
    await alone.stop()
  }

  const again = await started(name, database.url)
  await again.untilLogged(new RegExp(`Zone ${zone} was read`))
  expect(await again.said(`new.${zone}`)).toEqual(['NOERROR', '192.0.2.3'])
  expect(await again.said(`other.${zone}`)).toEqual(['NOERROR', '192.0.2.2'])
  expect((await again.said(zone, 'AXFR'))[0]).toBe('NOERROR')
  expect(await again.isIncomplete(zone)).toBe(false)
  await again.stop()

  const last = await started(name, NOWHERE)
  expect(await last.said(`new.${zone}`)).toEqual(['NOERROR', '192.0.2.3'])
  expect(await last.said(`nobody.new.${zone}`)).toEqual(['NXDOMAIN'])
  expect(await last.isIncomplete(zone)).toBe(false)
})
