/**
 * Updates: how many become durable per second (through the coalescer, and over
 * HTTP), compared with one transaction for each; and the cost of an unchanged
 * address over HTTP, compared with a route that returns a constant. Over HTTP with
 * each kind of credentials of routers: password, update token, API key.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { AddressCoalescer } from '@homing/api/coalescer'
import { connect } from '@homing/api/database'
import { byKey, byPassword, byTokens, type Credentials } from './support/credentials.ts'
import { load } from './support/load.ts'
import { addressOf, insertNames } from './support/names.ts'
import { type Comparison, report, type Row } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'
import { prepareService, until } from './support/service.ts'
import { makeYardstick } from './support/single-row.ts'

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
  },
})
const [rounds, seconds] = [Number(given.rounds), Number(given.seconds)]
if (!(rounds >= 1) || !(seconds >= 1)) {
  process.stderr.write('usage: node bench/update.ts [--rounds 3] [--seconds 5]\n')
  process.exit(64)
}

const NAMES = 10_000
/** The number of callers that wait for their result at the same time. */
const WAITING = 1_000

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, NAMES)
const yardstick = await makeYardstick(service.postgres.url)
service.defer(() => yardstick.end())

let updates = 0
const nameAt = (n: number) => n % NAMES

async function coalesced(): Promise<number> {
  const knex = connect({ url: service.postgres.url, applicationName: 'bench' })
  const coalescer = new AddressCoalescer({ knex })
  const actor = { kind: 'password', id: null, sourceIp: '192.0.2.9', client: 'bench' } as const
  const begun = performance.now()
  const end = begun + seconds * 1_000
  let done = 0
  await Promise.all(
    Array.from({ length: WAITING }, async () => {
      while (performance.now() < end) {
        const n = (updates += 1)
        const domainId = names.domainIds[nameAt(n)] ?? ''
        const verdict = await coalescer.submit({
          domainId,
          userId: names.userId,
          ipv4: addressOf(n),
          actor,
        })
        if (verdict.kind !== 'changed') throw new Error(`an update was ${verdict.kind}`)
        done += 1
      }
    }),
  )
  const perSecond = done / ((performance.now() - begun) / 1_000)
  await coalescer.drain()
  await knex.destroy()
  return perSecond
}

await service.startApi()
const credentials = {
  password: byPassword(),
  token: await byTokens(client, names),
  key: await byKey(client, names),
}
const updateOf = (n: number, address: string, of: Credentials) => ({
  path: `/nic/update?hostname=${names.fqdns[n]}&myip=${address}`,
  headers: { authorization: of(n), 'user-agent': 'bench/1' },
})

/** Changed updates per second. */
async function changed(of: Credentials): Promise<number> {
  const { perSecond } = await load({
    url: service.apiUrl,
    seconds,
    expected: /^200 good/,
    next() {
      const n = (updates += 1)
      return updateOf(nameAt(n), addressOf(n), of)
    },
  })
  return perSecond
}

const bare = fork(new URL('support/bare-route.ts', import.meta.url))
service.defer(() => bare.disconnect())
const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }]

const throughput = await interleave(rounds, {
  singleRow: () => yardstick.singleRow(seconds),
  gatheredBare: () => yardstick.gatheredBare(seconds),
  coalesced,
  password: () => changed(credentials.password),
  token: () => changed(credentials.token),
  key: () => changed(credentials.key),
})

// Unchanged updates: each domain gets its current address. Wait first: updates whose client has disconnected are still being stored.
await until('the end of all updates', async () => {
  await delay(500)
  const reset = await client.query(
    "update domains set record_ipv4 = '192.0.2.1' where record_ipv4 <> '192.0.2.1'",
  )
  return reset.rowCount === 0
})
await client.query('vacuum analyze domains')
let asked = 0
/** Requests per second with the address that the domain already has. */
async function same(url: string, of: Credentials): Promise<number> {
  const { perSecond } = await load({
    url,
    seconds,
    expected: /^200 nochg/,
    next: () => updateOf(nameAt((asked += 1)), '192.0.2.1', of),
  })
  return perSecond
}

const unchanged = await interleave(rounds, {
  bare: () => same(bareUrl, credentials.password),
  password: () => same(service.apiUrl, credentials.password),
  token: () => same(service.apiUrl, credentials.token),
  key: () => same(service.apiUrl, credentials.key),
})

const of = (values: readonly number[]) => median(values)
const KINDS = ['password', 'token', 'key'] as const
const single = of(throughput.singleRow)
const rows: Row[] = [
  {
    what: 'one row + change row + NOTIFY, a transaction each, 10 connections',
    value: single,
    unit: 'updates/s',
  },
  {
    what: 'the same bare two rows, 64 a transaction, 1 connection',
    value: of(throughput.gatheredBare),
    unit: 'updates/s',
  },
  {
    what: 'coalescer, every row of a real update',
    value: of(throughput.coalesced),
    unit: 'updates/s',
  },
  { what: 'bare Fastify route, 100 connections', value: of(unchanged.bare), unit: 'requests/s' },
  ...KINDS.flatMap((kind) => [
    { what: `changed over HTTP by ${kind}`, value: of(throughput[kind]), unit: 'updates/s' },
    { what: `nochg over HTTP by ${kind}`, value: of(unchanged[kind]), unit: 'requests/s' },
  ]),
]
const compare = (figure: string, ratio: number, least: number): Comparison => ({
  figure,
  ratio,
  goal: `≥ ${least}`,
  reached: ratio >= least,
})
report('update', rows, [
  compare('coalescer ÷ single row', of(throughput.coalesced) / single, 4),
  ...KINDS.flatMap((kind) => [
    compare(`changed by ${kind} ÷ single row`, of(throughput[kind]) / single, 1.5),
    compare(`nochg by ${kind} ÷ bare Fastify`, of(unchanged[kind]) / of(unchanged.bare), 0.6),
  ]),
])
