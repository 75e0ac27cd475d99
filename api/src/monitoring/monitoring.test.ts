/** A worker that checks real targets and records in a real database. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../test/support/feed-world.ts'
import { intervalsOf, letTimePass, makeMonitor } from '../../test/support/monitor-world.ts'
import { testOutgoing } from '../../test/support/outgoing.ts'
import { openSilentProxy } from '../../test/support/silent-proxy.ts'
import { connect } from '../database/connect.ts'
import { query } from '../database/sql.ts'
import { createLog } from '../process/log.ts'
import { type Monitoring, type MonitoringOptions, startMonitoring } from './start-monitoring.ts'

let world: FeedWorld
let target: Server
let reference: Server
let port = 0
/** The status of the target; undefined: it does not answer. */
let status: number | undefined = 200
/** When the target answered. */
let answers: { readonly at: number; readonly status: number }[] = []
let registry: Registry
const running: Monitoring[] = []
const accounts: string[] = []

const listen = async (server: Server, host: string) => {
  await once(server.listen(0, host), 'listening')
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  world = await openFeedWorld()
  for (let n = 0; n < 5; n += 1) accounts.push(await makeUser(world.knex, `ada${n}`))
  target = createServer((_request, response) => {
    if (status === undefined) return
    answers.push({ at: Date.now(), status })
    response.writeHead(status).end('hello')
  })
  port = await listen(target, '0.0.0.0')
  reference = createServer((_request, response) => void response.end('ok'))
})
afterAll(async () => {
  await world.end()
  target.close()
  reference.close()
})
beforeEach(() => {
  status = 200
  answers = []
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()))
  await query(world.knex, 'delete from domains')
})

/** Starts a worker. Checks come every 200 milliseconds. */
function start(options: Partial<Omit<MonitoringOptions, 'config'>> & { references?: URL[] } = {}) {
  const { references = [], ...others } = options
  registry = new Registry()
  const monitoring = startMonitoring({
    knex: world.knex,
    config: {
      nameservers: [],
      dnsHosts: [],
      dnsPort: 53,
      monitorIntervalSeconds: 0.2,
      monitorReferences: references,
    },
    outgoing: testOutgoing(),
    registry,
    log: createLog({ logLevel: 'silent', logFormat: 'json' }, 'worker'),
    name: 'worker-1',
    ...others,
  })
  running.push(monitoring)
  return monitoring
}

let made = 0
/** Each has an address of its own: the checks of an address are limited. */
async function monitorOf(
  userId = accounts[0] ?? '',
  settings: Readonly<Record<string, string>> = {},
) {
  const columns = { kind: 'http', port, ...settings }
  const monitor = await makeMonitor(world.knex, userId, columns)
  made += 1
  await query(world.knex, `update domains set record_ipv4 = inet '127.9.0.0' + ? where id = ?`, [
    made,
    monitor.domainId,
  ])
  return monitor
}

const statesOf = async (id: string) => (await intervalsOf(world.knex, id)).map(({ state }) => state)
/** The number of monitors by state. */
async function counts(): Promise<Record<string, number>> {
  const rows = await query<{ state: string; count: number }>(
    world.knex,
    'select state, count(*)::int from monitors group by 1',
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
const waiting = async () =>
  query(world.knex, `select message from monitor_notifications where outcome = 'waiting'`)
const SOON = { timeout: 20_000, interval: 50 }

test('a target goes down and up: each state begins at the first check that shows it', async () => {
  const { id } = await monitorOf()
  start()
  await expect.poll(() => statesOf(id), SOON).toEqual(['up'])
  status = 502
  await expect.poll(() => statesOf(id), SOON).toEqual(['up', 'down'])
  status = 200
  await expect.poll(() => statesOf(id), SOON).toEqual(['up', 'down', 'up'])
  const [, down] = await intervalsOf(world.knex, id)
  expect(down?.cause).toBe('status')
  const first = answers.findIndex((answer) => answer.status === 502)
  const [before, , second] = answers.slice(first - 1)
  expect(down?.since.getTime()).toBeGreaterThanOrEqual(before?.at ?? Infinity)
  expect(down?.since.getTime()).toBeLessThan(second?.at ?? 0)
  const [result] = await query(
    world.knex,
    `select kind, host(address) as address, status, cause, cause_text from monitor_results where not is_up limit 1`,
  )
  expect(result).toEqual({
    kind: 'http',
    address: '127.9.0.1',
    status: 502,
    cause: 'status',
    cause_text: 'The server responds with status 502. Expected: 200-399.',
  })
  const messages = (await waiting()).map((each) => (each as { message: string }).message)
  expect(messages).toEqual(['down', 'up'])
  expect(await registry.metrics()).toMatch(
    /homing_monitor_checks_total\{kind="http",outcome="down"\} \d/,
  )
})

test('many monitors of several accounts fail at once: they are unknown, and nobody is notified', async () => {
  for (const userId of accounts) for (let n = 0; n < 4; n += 1) await monitorOf(userId)
  start()
  await expect.poll(counts, SOON).toEqual({ up: 20 })
  target.closeAllConnections()
  status = 502
  await expect.poll(counts, SOON).toEqual({ unknown: 20 })
  expect(await waiting()).toEqual([])
  const found = await query(world.knex, 'select distinct state, cause from monitor_intervals')
  expect(found).not.toContainEqual(expect.objectContaining({ state: 'down' }))
  await expect
    .poll(() => query(world.knex, 'select is_blind from monitor_workers'), SOON)
    .toEqual([{ is_blind: true }])
})

test('monitors that were never up are down, however many fail', async () => {
  for (const userId of accounts) for (let n = 0; n < 4; n += 1) await monitorOf(userId)
  status = 502
  start()
  await expect.poll(counts, SOON).toEqual({ down: 20 })
})

test('while a reference fails, failures are unknown', async () => {
  const referencePort = await listen(reference, '127.0.0.1')
  const { id } = await monitorOf()
  start({ references: [new URL(`http://127.0.0.1:${referencePort}/`)] })
  await expect.poll(() => statesOf(id), SOON).toEqual(['up'])
  await new Promise((done) => reference.close(done))
  status = 502
  await expect.poll(() => statesOf(id), SOON).toEqual(['up', 'unknown'])
  expect(await waiting()).toEqual([])
  reference.listen(referencePort, '127.0.0.1')
  await expect.poll(() => statesOf(id), SOON).toEqual(['up', 'unknown', 'down'])
})

test('after an outage of the database, that time is unknown', async () => {
  const proxy = await openSilentProxy(world.url)
  const knex = connect({ url: proxy.url, applicationName: 'monitoring-test', maxConnections: 3 })
  const { id } = await monitorOf()
  const monitoring = start({ knex })
  await expect.poll(() => statesOf(id), SOON).toEqual(['up'])
  proxy.silence()
  await letTimePass(world.knex, id, 90_000)
  status = 502
  proxy.speak()
  await expect.poll(() => statesOf(id), SOON).toEqual(['up', 'unknown', 'down'])
  await monitoring.stop()
  await knex.destroy()
  proxy.close()
})

test('a stop gives checks under way back, so that others do them at once', async () => {
  status = undefined
  const { id } = await monitorOf()
  await start().stop()
  const leases = () => query(world.knex, 'select lease from monitor_schedule')
  const first = start()
  await expect.poll(leases, SOON).toEqual([{ lease: expect.any(String) }])
  await first.stop()
  expect(await leases()).toEqual([{ lease: null }])
  expect(await query(world.knex, 'select from monitor_workers')).toEqual([])
  target.closeAllConnections()
  status = 200
  start({ name: 'worker-2' })
  await expect.poll(() => statesOf(id), SOON).toEqual(['up'])
})
