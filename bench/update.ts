/**
 * Updates: how many a second become durable (through the coalescer, and over
 * HTTP), beside what one transaction for each would give; and what an unchanged
 * address costs over HTTP, beside a route that answers a constant.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { AddressCoalescer } from '@homing/api/coalescer'
import { connect } from '@homing/api/database'
import { Client } from 'pg'
import { load } from './support/load.ts'
import { addressOf, insertNames, PASSWORD, USERNAME } from './support/names.ts'
import { type Comparison, report, type Row } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'
import { prepareService, until } from './support/service.ts'
import { makeYardstick } from './support/single-row.ts'

const ROUNDS = 3
const SECONDS = 5
const NAMES = 10_000
/** Callers that wait for their verdict at the same time. */
const WAITING = 1_000

await using service = await prepareService()
// Ended before the service: a connection that loses its PostgreSQL would end this process at once.
await using ends = new AsyncDisposableStack()
const client = new Client({ connectionString: service.postgres.url })
await client.connect()
ends.defer(() => client.end())
const names = await insertNames(client, NAMES)
const yardstick = await makeYardstick(service.postgres.url)
ends.defer(() => yardstick.end())

let updates = 0
const nameAt = (n: number) => n % NAMES

async function coalesced(): Promise<number> {
  const knex = connect({ url: service.postgres.url, applicationName: 'bench' })
  const coalescer = new AddressCoalescer({ knex })
  const actor = { kind: 'password', id: null, sourceIp: '192.0.2.9', client: 'bench' } as const
  const begun = performance.now()
  const end = begun + SECONDS * 1_000
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

service.start('api/src/server.ts')
await until('the api', async () => (await fetch(`${service.apiUrl}/api/health`)).ok)
const headers = {
  authorization: `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}`,
  'user-agent': 'bench/1',
}
const overHttp = (path: () => string, expected: string) =>
  load({ url: service.apiUrl, seconds: SECONDS, nextPath: path, headers, expected })

const bare = fork(new URL('support/bare-route.ts', import.meta.url))
ends.defer(() => bare.disconnect())
const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }]

const throughput = await interleave(ROUNDS, {
  singleRow: () => yardstick.singleRow(SECONDS),
  gatheredBare: () => yardstick.gatheredBare(SECONDS),
  coalesced,
  http: async () =>
    (
      await overHttp(() => {
        const n = (updates += 1)
        return `/nic/update?hostname=${names.fqdns[nameAt(n)]}&myip=${addressOf(n)}`
      }, 'good')
    ).perSecond,
})

// Unchanged: each name is asked with the address that it has now. Updates whose caller hung up with the load are still being stored.
await until('the end of all updates', async () => {
  await delay(500)
  const reset = await client.query(
    "update domains set record_ipv4 = '192.0.2.1' where record_ipv4 <> '192.0.2.1'",
  )
  return reset.rowCount === 0
})
await client.query('vacuum analyze domains')
let asked = 0
const unchanged = await interleave(ROUNDS, {
  bare: async () =>
    (
      await load({
        url: bareUrl,
        seconds: SECONDS,
        nextPath: () => `/nic/update?hostname=${names.fqdns[nameAt((asked += 1))]}&myip=192.0.2.1`,
        headers,
        expected: 'nochg',
      })
    ).perSecond,
  nochg: async () =>
    (
      await overHttp(
        () => `/nic/update?hostname=${names.fqdns[nameAt((asked += 1))]}&myip=192.0.2.1`,
        'nochg',
      )
    ).perSecond,
})

const of = (values: readonly number[]) => median(values)
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
  { what: 'changed over HTTP, 100 connections', value: of(throughput.http), unit: 'updates/s' },
  { what: 'bare Fastify route, 100 connections', value: of(unchanged.bare), unit: 'requests/s' },
  { what: 'nochg over HTTP, 100 connections', value: of(unchanged.nochg), unit: 'requests/s' },
]
const compare = (figure: string, ratio: number, least: number): Comparison => ({
  figure,
  ratio,
  goal: `≥ ${least}`,
  reached: ratio >= least,
})
report('update', rows, [
  compare('coalescer ÷ single row', of(throughput.coalesced) / single, 4),
  compare('changed over HTTP ÷ single row', of(throughput.http) / single, 1.5),
  compare('nochg over HTTP ÷ bare Fastify', of(unchanged.nochg) / of(unchanged.bare), 0.6),
])
