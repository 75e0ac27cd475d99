import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { components } from '@homing/openapi/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { atTerminal } from '../../test/pseudo-terminal.ts'
import { problem } from './fixtures.ts'
import {
  fakeServer,
  type FakeServer,
  homing,
  LAUNCHER,
  type Replies,
  type Reply,
  shellEnvironment,
  temporaryFolder,
} from './support.ts'

let server: FakeServer
beforeEach(async () => {
  server = await fakeServer({})
})
afterEach(() => server.close())

type Schemas = components['schemas']

const SUMMARY: Schemas['DnsSummary'] = {
  total_queries_24h: 1840,
  total_queries_7d: 12_400,
  total_queries_30d: 51_200,
  query_trend: 'up',
  trend_percent: 4.2,
  trend_percent_7d: -3,
  trend_percent_30d: null,
  queries_by_domain: [
    { domain_id: '42', fqdn: 'home.example.net', queries: 41_000 },
    { domain_id: '43', fqdn: 'nas.example.net', queries: 200 },
  ],
  top_countries: [
    { country_code: 'AT', queries: 9_100 },
    { country_code: 'ZZ', queries: 12 },
  ],
  top_asns: [
    { asn: 64_496, as_org: 'Example Net', queries: 7_400 },
    { asn: 64_497, as_org: '', queries: 11 },
    { asn: 0, as_org: '', queries: 9 },
  ],
  counted_until: '2026-05-12T08:30:00.000Z',
}
const SUMMARY_URL = 'GET /api/dns-stats/summary'

const PART = { from: '2026-05-12T07:00:00.000Z', to: '2026-05-12T08:00:00.000Z' }
const SERIES: Schemas['QuerySeries'] = {
  from: '2026-05-12T07:00:00.000Z',
  to: '2026-05-12T09:00:00.000Z',
  resolution: '1h',
  domain_id: null,
  dimension: null,
  total: 1_284,
  previous_total: 1_200,
  values: [],
  parts: [
    { ...PART, queries: 1_200, is_partial: false, values: [] },
    { from: PART.to, to: '2026-05-12T09:00:00.000Z', queries: 84, is_partial: true, values: [] },
  ],
  previous: [1_190, 10],
  markers: [
    {
      at: '2026-05-12T07:12:00.000Z',
      domain_id: '42',
      fqdn: 'home.example.net',
      address: '198.51.100.7',
    },
  ],
}
const BY_TYPE: Schemas['QuerySeries'] = {
  ...SERIES,
  domain_id: '42',
  dimension: 'type',
  values: [
    { value: 'A', label: 'A', queries: 60 },
    { value: 'other', label: 'Other', queries: 24 },
  ],
  parts: [{ ...PART, queries: 84, is_partial: false, values: [60, 24] }],
  total: 84,
  previous_total: null,
  previous: [],
  markers: [],
}
const SERIES_URL = 'GET /api/dns-stats/series'
const DOMAIN: Record<string, Reply> = {
  'GET /api/domains/fqdn/home.example.net': { body: { id: '42', fqdn: 'home.example.net' } },
}

const environment = () => ({
  HOMING_API_KEY: 'ak_key',
  HOMING_URL: server.url,
  TZ: 'Europe/Vienna',
})

async function run(replies: Replies, ...args: string[]) {
  Object.assign(server.replies, replies)
  return homing(['stats', ...args], environment())
}

async function shownAtTerminal(replies: Replies, ...args: string[]): Promise<string> {
  Object.assign(server.replies, replies)
  const command = [LAUNCHER, 'stats', ...args]
  return (await atTerminal(command, [], shellEnvironment(environment()))).shown
}

const asked = () => new URL(server.asked.at(-1)?.request.split(' ')[1] ?? '', server.url)

test('the summary is a line for each period, domain, country and network', async () => {
  const replies = { [SUMMARY_URL]: { body: SUMMARY } }
  const { stdout, stderr } = await run(replies)
  expect(stdout.split('\n')).toEqual([
    'period\t24h\tlast 24 hours\t1840\t4.2',
    'period\t7d\tlast 7 days\t12400\t-3',
    'period\t30d\tlast 30 days\t51200\t',
    'domain\t42\thome.example.net\t41000\t',
    'domain\t43\tnas.example.net\t200\t',
    'country\tAT\tAustria\t9100\t',
    'country\tZZ\tUnknown\t12\t',
    'network\t64496\tExample Net (AS64496)\t7400\t',
    'network\t64497\tAS64497\t11\t',
    'network\t0\tUnknown or small networks\t9\t',
    '',
  ])
  expect(stderr).toMatch(/^Counted until \d+ d ago\.\nCountries and networks: .*db-ip\.com\)\.\n$/)
  expect(JSON.parse((await run(replies, '--json')).stdout)).toEqual(SUMMARY)
})

test('a plan without DNS analytics gets the totals alone', async () => {
  const lists = { queries_by_domain: [], top_countries: [], top_asns: [], counted_until: null }
  const replies = { [SUMMARY_URL]: { body: { ...SUMMARY, ...lists } } }
  const { stdout, stderr } = await run(replies)
  expect(stdout.trimEnd().split('\n')).toHaveLength(3)
  expect(stderr).toBe('No queries were counted yet.\n')
})

test('a terminal shows the summary as tables', needs('script'), async () => {
  const shown = await shownAtTerminal({ [SUMMARY_URL]: { body: SUMMARY } })
  expect(shown).toMatch(/^last 24 hours +1,840 +\+4\.2 %$/m)
  expect(shown).toMatch(/^last 30 days +51,200 +no earlier data$/m)
  expect(shown).toMatch(/^home\.example\.net +41,000 +█{20}$/m)
  expect(shown).toMatch(/^nas\.example\.net +200 +█$/m)
})

test('a series is a line for each part, with the period before', async () => {
  const replies = { ...DOMAIN, [SERIES_URL]: { body: SERIES } }
  expect(await run(replies, 'series')).toMatchObject({
    stdout: '2026-05-12T07:00:00.000Z\t\t1200\t1190\n2026-05-12T08:00:00.000Z\t\t84\t10\n',
    stderr: '1,284 queries. The period before had 1,200 (+0.8 % without the part so far).\n',
  })
  expect(asked().search).toBe('?resolution=1h')
})

test('with a dimension, a series is a line for each value of a part', async () => {
  const replies = { ...DOMAIN, [SERIES_URL]: { body: BY_TYPE } }
  const period = ['--to', '2026-05-12T10:00', '--last', '2h', '--resolution', '1h']
  expect(await run(replies, 'series', 'home.example.net', ...period, '--by', 'type')).toMatchObject(
    {
      stdout: '2026-05-12T07:00:00.000Z\tA\t60\t\n2026-05-12T07:00:00.000Z\tother\t24\t\n',
      stderr: '84 queries. There is no earlier data.\n',
    },
  )
  expect(Object.fromEntries(asked().searchParams)).toEqual({
    from: '2026-05-12T06:00:00.000Z',
    to: '2026-05-12T08:00:00.000Z',
    resolution: '1h',
    dimension: 'type',
    domain_id: '42',
  })
})

test(
  'a terminal shows a series with bars or values, and new addresses',
  needs('script'),
  async () => {
    const shown = await shownAtTerminal({ [SERIES_URL]: { body: SERIES } }, 'series')
    expect(shown).toMatch(/^2026-05-12 09:00 +1,200 +1,190 +home\.example\.net 198\.51\.100\.7$/m)
    const ofOne = { [SERIES_URL]: { body: { ...SERIES, domain_id: '42' } } }
    const narrower = await shownAtTerminal(ofOne, 'series')
    expect(narrower).toMatch(/^2026-05-12 09:00 +1,200 +█{20} +1,190 +198\.51\.100\.7$/m)
    expect(narrower).toMatch(/^2026-05-12 10:00 +84 so far +█ +10$/m)
    const byType = await shownAtTerminal({ [SERIES_URL]: { body: BY_TYPE } }, 'series')
    expect(byType).toMatch(/^TYPE +QUERIES *$/m)
    expect(byType).toMatch(/^A +60 +█{20}$/m)
    expect(byType).toMatch(/^Other +24 +█{8}$/m)
    expect(byType).toMatch(/^FROM +QUERIES +A +Other$/m)
    expect(byType).toMatch(/^2026-05-12 09:00 +84 +60 +24$/m)
  },
)

test.each([
  ['series', '--last', '2 hours'],
  ['series', '--last', '2h', '--from', '2026-05-12T07:00Z'],
  ['series', '--from', 'yesterday'],
  ['series', '--by', 'client'],
  ['series', '--resolution', '1m'],
  ['export', '--json', '--output', '/tmp/queries.json'],
  ['live', '--limit', '0'],
])('%s %s %s is refused before any call', async (...args) => {
  expect((await run({}, ...args)).exitCode).toBe(64)
  expect(server.asked).toEqual([])
})

test('a refused range is explained with its limit', async () => {
  const refused = problem(422, 'validation-failed', { detail: '5m goes back 2 days. Use 1h.' })
  expect(
    await run({ [SERIES_URL]: refused }, 'series', '--last', '90d', '--resolution', '5m'),
  ).toMatchObject({ exitCode: 8, stdout: '', stderr: expect.stringContaining('Use 1h.') })
})

const CSV =
  'from,domain,dimension,value,queries\r\n2026-05-12T00:00:00.000Z,ä.example,type,A,24\r\n'
const EXPORT_URL = 'GET /api/dns-stats/export'

test('an export is printed, or written to a file', async () => {
  const csv = { headers: { 'content-type': 'text/csv; charset=utf-8' }, body: CSV }
  const replies = { ...DOMAIN, [EXPORT_URL]: csv }
  expect((await run(replies, 'export', 'home.example.net', '--by', 'type')).stdout).toBe(CSV)
  expect(Object.fromEntries(asked().searchParams)).toEqual({
    dimension: 'type',
    domain_id: '42',
    format: 'csv',
  })
  const file = join(temporaryFolder(), 'queries.csv')
  expect(await run(replies, 'export', '--output', file)).toMatchObject({
    stdout: '',
    stderr: `Written: ${file}\n`,
  })
  expect(readFileSync(file, 'utf8')).toBe(CSV)
  const row = { from: PART.from, domain: 'ä.example', dimension: 'type', value: 'A', queries: 24 }
  const json = { [EXPORT_URL]: { body: [row] } }
  expect(JSON.parse((await run(json, 'export', '--json=domain,queries')).stdout)).toEqual([
    { domain: 'ä.example', queries: 24 },
  ])
})

test('a refused export leaves the former file', async () => {
  const file = join(temporaryFolder(), 'queries.csv')
  writeFileSync(file, CSV)
  const refused = { [EXPORT_URL]: problem(403, 'plan-required') }
  expect((await run(refused, 'export', '--output', file)).exitCode).toBe(3)
  expect(readFileSync(file, 'utf8')).toBe(CSV)
  const folder = { [EXPORT_URL]: { headers: { 'content-type': 'text/csv' }, body: CSV } }
  expect(await run(folder, 'export', '--output', temporaryFolder())).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^The file cannot be written: EISDIR/),
  })
})

test('an export whose connection breaks says that the file is not complete', async () => {
  const file = join(temporaryFolder(), 'queries.csv')
  const broken = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.write(CSV, () => response.destroy())
  })
  broken.listen(0, '127.0.0.1')
  await once(broken, 'listening')
  const { port } = broken.address() as AddressInfo
  const variables = { ...environment(), HOMING_URL: `http://127.0.0.1:${port}` }
  const ended = await homing(['stats', 'export', '--output', file], variables)
  broken.close()
  expect(ended).toMatchObject({ exitCode: 7, stdout: '' })
  expect(ended.stderr).toContain(`${file} is not complete.`)
  expect(readFileSync(file, 'utf8')).toBe(CSV)
})
