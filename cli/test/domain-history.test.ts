import { expect, test } from 'vitest'
import { domain, problem } from './fixtures.ts'
import { useKeyedServer } from './keyed-server.ts'

const t = useKeyedServer()

const HOME = domain({ note: 'Attic', tags: ['home'] })
const FOUND = { 'GET /api/domains/fqdn/home.example.net': { body: HOME } }
const EVENT = {
  id: '4711',
  at: '2026-05-12T08:30:00.000Z',
  kind: 'address',
  actor: 'api_key',
  actor_name: 'backup',
  source_ip: '198.51.100.7',
  source_cc: 'DE',
  client: 'ddclient/3.10.0',
  old: { record_ipv4: '192.0.2.1', record_ipv6: null },
  new: { record_ipv4: '192.0.2.2', record_ipv6: '2001:db8::2' },
  undoes: null,
}
const CREATED = { ...EVENT, id: '1', kind: 'created', old: {} }
const events = (body: object) => ({ ...FOUND, 'GET /api/domains/42/events': { body } })
const DELETED = {
  id: '43',
  fqdn: 'gone.example.net',
  zone: 'example.net',
  record_ipv4: '192.0.2.1',
  record_ipv6: null,
  paused: false,
  note: null,
  tags: [],
  has_wildcard: false,
  has_update_token: true,
  has_web_forward: false,
  has_monitor: false,
  records: 2,
  created_at: '2026-05-01T12:00:00.000Z',
  deleted_at: '2026-05-12T08:30:00.000Z',
  restorable_until: '2026-06-11T08:30:00.000Z',
}
const deleted = (body: object) => ({ 'GET /api/domains/deleted': { body } })
const lastBody = () => JSON.parse(t.asked.at(-1)?.body ?? '') as unknown

test('domains history: a line for each event', async () => {
  const { stdout } = await t.run(events([EVENT]), 'domains', 'history', 'home.example.net')
  expect(stdout).toBe(
    '4711\t2026-05-12T08:30:00.000Z\taddress\t192.0.2.1 → 192.0.2.2 2001:db8::2\tAPI key backup\t198.51.100.7\tDE\tddclient/3.10.0\n',
  )
})

test('domains history: records with their type, owner and values', async () => {
  const settings = { owner: 'home.example.net', type: 'MX', ttl: 3600 }
  const [former, next] = [['10 a.'], ['10 b.', '20 c.']].map((values) => ({ ...settings, values }))
  const list = [
    { ...EVENT, kind: 'record-deleted', old: { record: next }, new: { record: null } },
    { ...EVENT, kind: 'record-changed', old: { record: former }, new: { record: next } },
    { ...EVENT, kind: 'record-created', old: { record: null }, new: { record: former } },
  ]
  const { stdout } = await t.run(events(list), 'domains', 'history', 'home.example.net')
  expect(stdout.split('\n').flatMap((line) => line.split('\t')[3] ?? [])).toEqual([
    'MX home.example.net: 10 b. 20 c. → none',
    'MX home.example.net: 10 a. → 10 b. 20 c.',
    'MX home.example.net: none → 10 a.',
  ])
})

test('domains history --limit reads page after page', async () => {
  const page = Array.from({ length: 100 }, (_, n) => ({ ...EVENT, id: String(900 - n) }))
  const args = ['domains', 'history', 'home.example.net', '--limit', '150', '--json=id']
  const { stdout } = await t.run(events(page), ...args)
  expect(JSON.parse(stdout)).toHaveLength(200)
  const asked = new URLSearchParams(t.asked.at(-1)?.request.split('?')[1])
  expect(Object.fromEntries(asked)).toEqual({ range: '[0,49]', filter: '{"before":"801"}' })
})

test('domains undo: the newest change that can be undone', async () => {
  const undo = 'POST /api/domains/42/events/4711/undo'
  const replies = {
    ...events([{ ...CREATED, id: '4712', kind: 'withheld' }, EVENT, CREATED]),
    [undo]: { body: HOME },
  }
  const ended = await t.run(replies, 'domains', 'undo', 'home.example.net', '--if-version', '3')
  expect(ended).toMatchObject({ exitCode: 0, stdout: 'home.example.net\t192.0.2.1\n' })
  expect(t.asked.at(-1)?.request).toBe(undo)
})

test('domains undo: nothing to undo, and a change that was undone already', async () => {
  const nothing = await t.run(events([CREATED]), 'domains', 'undo', 'home.example.net')
  expect(nothing).toMatchObject({ exitCode: 5, stdout: '' })
  const again = { 'POST /api/domains/42/events/9/undo': problem(409, 'already-undone') }
  const ended = await t.run(again, 'domains', 'undo', 'home.example.net', '9')
  expect(ended).toMatchObject({ exitCode: 6, stderr: 'This is why.\n' })
})

test('domains --deleted and domains restore', async () => {
  const list = await t.run(deleted([DELETED]), 'domains', 'list', '--deleted')
  expect(list.stdout).toBe(
    'gone.example.net\t192.0.2.1\t\t2026-05-12T08:30:00.000Z\t2026-06-11T08:30:00.000Z\n',
  )
  expect(JSON.parse((await t.run({}, 'domains', '--deleted', '--json')).stdout)).toEqual([DELETED])
  const restored = { 'POST /api/domains/43/restore': { body: domain({ fqdn: DELETED.fqdn }) } }
  const ended = await t.run(restored, 'domains', 'restore', 'Gone.example.net')
  expect(ended).toMatchObject({ exitCode: 0, stdout: 'gone.example.net\t192.0.2.1\n' })
  for (const typed of ['GONE.example.net.', 'gone.example。net']) {
    expect((await t.run({}, 'domains', 'restore', typed)).exitCode).toBe(0)
  }
  expect(await t.run({}, 'domains', 'restore', 'other.example.net')).toMatchObject({ exitCode: 5 })
})

test.each([
  [['pause', 'home.example.net'], { paused: true }],
  [['resume', 'home.example.net'], { paused: false }],
  [['note', 'home.example.net', 'Attic'], { note: 'Attic' }],
  [['note', 'home.example.net', '--remove'], { note: null }],
  [
    ['tag', 'home.example.net', '--add', 'HOME', '--add', 'office', '--remove', 'attic'],
    { tags: ['home', 'office'] },
  ],
])('domains %j', async (args, body) => {
  const replies = { ...FOUND, 'PUT /api/domains/fqdn/home.example.net': { body: HOME } }
  expect(await t.run(replies, 'domains', ...args)).toMatchObject({ exitCode: 0 })
  expect(lastBody()).toEqual(body)
})

test('domains note and domains tag without a change show what there is', async () => {
  expect((await t.run(FOUND, 'domains', 'note', 'home.example.net')).stdout).toBe('Attic\n')
  expect((await t.run(FOUND, 'domains', 'tag', 'home.example.net')).stdout).toBe('home\n')
})

test('update-calls: what was sent and answered', async () => {
  const call = {
    id: '84',
    first_at: '2026-05-12T08:30:00.000Z',
    last_at: '2026-05-12T09:30:00.000Z',
    times: 12,
    is_refused: false,
    source_ip: '198.51.100.7',
    client: 'FRITZ!Box',
    dialect: 'dyndns2',
    path: '/nic/update',
    said: 'myip=198.51.100.7',
    answer: 'nochg 198.51.100.7',
    hint: null,
    hint_text: null,
  }
  const replies = { ...FOUND, 'GET /api/domains/42/update-calls': { body: [call] } }
  const { stdout } = await t.run(replies, 'update-calls', 'home.example.net')
  expect(stdout).toBe(
    '2026-05-12T09:30:00.000Z\t12\t198.51.100.7\tFRITZ!Box\t/nic/update\tmyip=198.51.100.7\tnochg 198.51.100.7\t\n',
  )
})
