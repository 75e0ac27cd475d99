/*
 * A ledger of all questions to two daemons is equal to their counts in the database, field by field: over UDP in batches
 * and through node:dgram, over TCP, IPv4 and IPv6, while PostgreSQL is away, and across a restart.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { byForm } from '../../../test/test-form.ts'
import { DatabaseDoor } from '../outages/database-door.ts'
import { type RunningDaemon, startDaemon } from '../support/daemon.ts'
import { FeedWriter } from '../support/feed-writer.ts'
import {
  COUNTED_TYPES,
  COUNTS_OF,
  FACETS_OF,
  type LedgerClient,
  type LedgerQuestion,
  QuestionLedger,
  tcpClient,
  udpClient,
} from '../support/question-ledger.ts'
import { randomFrom } from '../support/random.ts'

const ZONE = 'ledger.test'
const QUESTIONS = byForm({ short: 3_000, long: 1_000_000 })
const TYPES = [...COUNTED_TYPES, 'NAPTR', 'TYPE999']
const UDP_ADDRESSES = ['127.0.0.1', '127.0.0.1', '127.7.8.9', '127.7.9.1', '::1']
const TCP_ADDRESSES = ['127.0.0.1', '127.3.3.3', '::1']

/** Owners of questions, and what they count for. */
const NAMES: readonly Pick<LedgerQuestion, 'qname' | 'kind' | 'name'>[] = [
  { qname: `a.${ZONE}`, kind: 'name', name: `a.${ZONE}` },
  { qname: `A.Ledger.TEST`, kind: 'name', name: `a.${ZONE}` },
  { qname: `b.${ZONE}`, kind: 'name', name: `b.${ZONE}` },
  { qname: `alias.${ZONE}`, kind: 'name', name: `alias.${ZONE}` },
  { qname: `broken.${ZONE}`, kind: 'name', name: `broken.${ZONE}` },
  { qname: `large.${ZONE}`, kind: 'name', name: `large.${ZONE}` },
  { qname: `c.${ZONE}`, kind: 'name', name: `c.${ZONE}` },
  { qname: ZONE, kind: 'name', name: ZONE },
  { qname: `x.w.${ZONE}`, kind: 'name', name: `*.w.${ZONE}` },
  { qname: `y.z.w.${ZONE}`, kind: 'name', name: `*.w.${ZONE}` },
  { qname: `missing.${ZONE}`, kind: 'nxdomain', name: null },
  { qname: `not.there.${ZONE}`, kind: 'nxdomain', name: null },
  { qname: `x.a.${ZONE}`, kind: 'nxdomain', name: `a.${ZONE}` },
  { qname: `x.y.c.${ZONE}`, kind: 'nxdomain', name: `c.${ZONE}` },
]

const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'homing-ledger-')))
const running: RunningDaemon[] = []
let database: TestDatabase
let owner: Client
let door: DatabaseDoor
let url: string

beforeAll(async () => {
  database = await createTestDatabase()
  owner = new Client({ connectionString: database.url })
  await owner.connect()
  const through = new URL(database.url)
  door = await DatabaseDoor.open(Number(through.port))
  through.port = String(door.port)
  url = through.href
  const writer = await FeedWriter.connect(database.url)
  const zoneId = await writer.addZone(ZONE)
  const records = [
    { owner: `a.${ZONE}`, rdata: ['192.0.2.1'] },
    { owner: `b.${ZONE}`, rdata: ['192.0.2.2'] },
    { owner: `b.${ZONE}`, type: 'AAAA', rdata: ['2001:db8::2'] },
    { owner: `b.${ZONE}`, type: 'MX', rdata: [`10 a.${ZONE}.`] },
    { owner: `alias.${ZONE}`, type: 'CNAME', rdata: [`a.${ZONE}.`] },
    { owner: `broken.${ZONE}`, type: 'CNAME', rdata: [`missing.${ZONE}.`] },
    {
      owner: `large.${ZONE}`,
      type: 'TXT',
      rdata: Array.from({ length: 9 }, (_, n) => `"${n}${'x'.repeat(200)}"`),
    },
    { owner: `*.w.${ZONE}`, rdata: ['192.0.2.3'] },
    { owner: `deep.c.${ZONE}`, rdata: ['192.0.2.4'] },
  ]
  await writer.publish(zoneId, { records })
  await writer.end()
})
afterAll(async () => {
  for (const daemon of running) daemon.process.kill('SIGKILL')
  await door.close()
  await owner.end()
  await database.drop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function start(index: 0 | 1, port?: number): Promise<RunningDaemon> {
  const daemon = await startDaemon(folders[index] ?? '', {
    DATABASE_URL: url,
    DNS_WORKERS: '2',
    DNS_HOST: '127.0.0.1,::1',
    DNS_UDP_TRANSPORT: index === 0 ? 'auto' : 'dgram',
    ...(port === undefined ? {} : { DNS_PORT: String(port) }),
  })
  running.push(daemon)
  await daemon.ready
  return daemon
}

async function stop(daemon: RunningDaemon): Promise<void> {
  daemon.process.kill('SIGTERM')
  expect(await daemon.ended).toBe(0)
}

const random = randomFrom(0x1ed6e4)

function someQuestion(): LedgerQuestion {
  const asked = NAMES[random(NAMES.length)] ?? { qname: ZONE, kind: 'name', name: ZONE }
  const qtype = random(2) === 0 ? 'A' : (TYPES[random(TYPES.length)] ?? 'A')
  const turn = random(20)
  // An unknown version of EDNS and an unknown opcode are answered, and are neither data nor negative answers.
  const options = turn === 0 ? { edns: { version: 1 } } : turn === 1 ? { opcode: 2 } : {}
  return { ...asked, qtype, options }
}

/** Asks a share of the questions from all clients at once. */
async function askSome(ledger: QuestionLedger, ports: readonly number[], count: number) {
  const clients: LedgerClient[] = []
  for (const port of ports) {
    for (const address of UDP_ADDRESSES) clients.push(await udpClient(port, address))
    for (const address of TCP_ADDRESSES) clients.push(await tcpClient(port, address))
  }
  let left = count
  const askOn = async (client: LedgerClient) => {
    while (left-- > 0) await ledger.ask(client, someQuestion())
  }
  await Promise.all(clients.map(askOn))
  for (const client of clients) client.close()
}

async function linesOf(sql: string): Promise<string[]> {
  const { rows } = await owner.query<{ line: string }>(sql, [ZONE])
  return rows.map(({ line }) => line).toSorted()
}

it(
  'counts are equal to the ledger',
  { timeout: byForm({ short: 60_000, long: 1_800_000 }) },
  async () => {
    const ledger = new QuestionLedger(ZONE)
    const one = await start(0)
    const two = await start(1)
    const ports = [one.port, two.port]
    const share = QUESTIONS / 3
    await askSome(ledger, ports, share)
    door.set('closed')
    await askSome(ledger, ports, share)
    await stop(one)
    // Its counts wait on the disk.
    expect(readdirSync(join(folders[0] ?? '', 'dnsd', 'counts')).length).toBeGreaterThan(0)
    const again = await start(0, one.port)
    await askSome(ledger, ports, share)
    door.set('open')
    await Promise.all([stop(again), stop(two)])
    expect(ledger.asked).toBe(QUESTIONS)
    expect(await linesOf(COUNTS_OF)).toEqual(ledger.counts)
    expect(await linesOf(FACETS_OF)).toEqual(ledger.facets)
    for (const folder of folders) expect(readdirSync(join(folder, 'dnsd', 'counts'))).toEqual([])
  },
)
