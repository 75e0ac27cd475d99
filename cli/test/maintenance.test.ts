/** Maintenance windows of monitors. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeServer, type FakeServer, homing, type Reply } from './support.ts'

let server: FakeServer
beforeEach(async () => {
  server = await fakeServer({})
})
afterEach(() => server.close())

const URL_OF_42 = '/api/uptime/domain/42'
const DOMAIN: Record<string, Reply> = {
  'GET /api/domains/fqdn/home.example.net': { body: { id: '42', fqdn: 'home.example.net' } },
}

async function run(replies: Record<string, Reply>, ...args: string[]) {
  Object.assign(server.replies, replies)
  const environment = { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url }
  return homing(['monitors', 'maintenance', ...args], environment)
}
const sent = () => JSON.parse(server.asked.at(-1)?.body ?? '') as unknown

const WINDOW = {
  id: '3',
  starts_at: '2026-05-17T01:00:00.000Z',
  ends_at: '2026-05-17T02:00:00.000Z',
  repeats: 'weekly',
  time_zone: 'Europe/Vienna',
  note: 'Backup',
  next_starts_at: null,
}
const made = {
  ...DOMAIN,
  [`POST ${URL_OF_42}/maintenance`]: { status: 201, body: WINDOW },
}
const add = (...flags: string[]) => run(made, 'add', 'home.example.net', ...flags)

test('maintenance is announced in a time zone, listed and removed', async () => {
  const zone = ['--time-zone', 'Europe/Vienna', '--note', 'Backup']
  const time = ['--from', '2026-05-17T03:00', '--for', '60m', '--repeat', 'weekly']
  expect((await add(...time, ...zone)).exitCode).toBe(0)
  const { id: _id, next_starts_at: _next, ...body } = WINDOW
  expect(sent()).toEqual(body)
  const listed = { [`GET ${URL_OF_42}/maintenance`]: { body: [WINDOW] } }
  expect((await run(listed, 'home.example.net')).stdout).toBe(
    '3\t2026-05-17T01:00:00.000Z\t2026-05-17T02:00:00.000Z\tweekly\tEurope/Vienna\t\tBackup\n',
  )
  const gone = { [`DELETE ${URL_OF_42}/maintenance/3`]: { status: 204 } }
  const removed = await run(gone, 'remove', 'home.example.net', '3')
  expect(removed.stdout).toBe('3\thome.example.net\n')
})

test.each([
  [],
  ['--for', '2h', '--to', '2026-05-17T03:00Z'],
  ['--for', '0h'],
  ['--for', '2 hours'],
  ['--for', '2h', '--from', 'tomorrow'],
  ['--for', '2h', '--time-zone', 'Middle/Earth'],
])('maintenance is refused with %j %j %j %j, before any call', async (...flags) => {
  expect((await add(...flags)).exitCode).toBe(64)
  expect(server.asked).toEqual([])
})
