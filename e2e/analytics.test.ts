/**
 * Queries are counted exactly: over two DNS daemons, UDP and TCP, both families, existing names, wildcards and missing
 * names, while PostgreSQL is away and both daemons are restarted. What the API says is compared with a ledger field by field.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client as Postgres } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../test/free-ports.ts'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { type Client, type Field, QueryLedger, type Question } from './support/asked-queries.ts'
import { ask } from './support/dns.ts'
import { writeMmdb } from './support/mmdb.ts'
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts'
import { type Replica, startReplica } from './support/replica.ts'
import { eventually, type Stack, startStack, temporaryDataDir } from './support/stack.ts'

const ZONE = 'homing.test'
const HOME = `home.${ZONE}`
const WILD = `wild.${ZONE}`
const WILDCARD = `*.${WILD}`
const OF_BOB = `bob.${ZONE}`
const DOMAINS = [HOME, WILD, WILDCARD]
const FIELDS = ['type', 'rcode', 'transport', 'family', 'country', 'network'] as const

const CLIENTS: readonly (Client & { organization: string })[] = [
  { address: '127.0.1.7', country: 'AT', network: '64496', organization: 'Alpine Net' },
  { address: '127.0.2.7', country: 'CH', network: '64497', organization: 'Lake Net' },
  { address: '127.0.3.7', country: 'ZZ', network: '0', organization: '' },
  // The network of ::1 is ::/48, whose first address is that of 0.0.0.0 in the format of the files.
  { address: '::1', country: 'DE', network: '64498', organization: 'Forest Net' },
]
const NETWORKS = ['127.0.1.0/24', '127.0.2.0/24', undefined, '0.0.0.0/24']

const query = (name: string, type: string, domain?: string): Question => ({ name, type, domain })
const QUESTIONS = [
  query(HOME, 'A', HOME),
  query(HOME, 'AAAA', HOME),
  query(HOME, 'HTTPS', HOME),
  query(HOME, 'ANY', HOME),
  query(HOME, 'TYPE65280', HOME),
  query(`missing.${HOME}`, 'A', HOME),
  query(`a.b.${HOME}`, 'MX', HOME),
  query(WILD, 'A', WILD),
  query(`one.${WILD}`, 'A', WILDCARD),
  query(`two.three.${WILD}`, 'TXT', WILDCARD),
  query(OF_BOB, 'A'),
  query(`nothing.${ZONE}`, 'A'),
  query(ZONE, 'SOA'),
]

describe('the counts of a mixed run', needs('dig'), () => {
  const folder = temporaryDataDir()
  const ledger = new QueryLedger()
  let postgres: OwnPostgres
  let stack: Stack
  let replica: Replica
  let ada: Account
  let ids: ReadonlyMap<string, string>

  beforeAll(async () => {
    postgres = await startOwnPostgres(folder.path)
    const files = { country: join(folder.path, 'country.mmdb'), asn: join(folder.path, 'asn.mmdb') }
    const known = CLIENTS.flatMap((client, n) => {
      const network = NETWORKS[n]
      return network === undefined ? [] : [{ ...client, network, asn: Number(client.network) }]
    })
    writeMmdb(
      files.country,
      Object.fromEntries(known.map(({ network, country }) => [network, { country_code: country }])),
    )
    writeMmdb(
      files.asn,
      Object.fromEntries(
        known.map(({ network, asn, organization }) => [
          network,
          { autonomous_system_number: asn, autonomous_system_organization: organization },
        ]),
      ),
    )
    stack = await startStack({
      dataDir: folder.path,
      env: {
        DATABASE_URL: postgres.url,
        DNS_HOST: '127.0.0.1,::1',
        RATE_LIMITS: 'off',
        GEOIP_COUNTRY_MMDB: files.country,
        GEOIP_ASN_MMDB: files.asn,
      },
    })
    const [dns = 0, metrics = 0] = await freePorts(2)
    await sql(`create role replica login password 'replica' in role homing_dnsd`)
    const login = new URL(postgres.url)
    login.username = login.password = 'replica'
    replica = startReplica(stack, { dns, metrics, databaseUrl: login.href })
    const [bob] = await Promise.all([registerAccount(stack, 'bob'), addDomains()])
    await addNames(bob, [OF_BOB])
    for (const port of ports()) await answers(port, OF_BOB)
  })
  afterAll(async () => {
    await replica?.stop()
    await stack?.stop()
    await postgres?.stop()
    folder.remove()
  })

  async function sql(statement: string): Promise<void> {
    const client = new Postgres({ connectionString: postgres.url })
    await client.connect()
    await client.query(statement)
    await client.end()
  }

  async function addDomains(): Promise<void> {
    ada = await registerAccount(stack, 'ada')
    await sql(`update users set account_type = 'elite' where username = 'ada'`)
    await addNames(ada, [HOME, WILD])
    await ada.api.POST('/api/domains/wildcard', { body: { base_fqdn: WILD } })
    const { data = [] } = await ada.api.GET('/api/domains')
    ids = new Map(data.map(({ fqdn, id }) => [fqdn, id]))
  }

  const ofReplica = () => replica.pid()
  const ofDnsd = () => stack.pidOf('dnsd')
  const ports = () => [stack.dnsPort, replica.dnsPort]

  /** Waits until a daemon has the newest domain. These queries count for none of Ada's domains. */
  const answers = (port: number, name: string) =>
    eventually(
      () => ask(port, name, 'A'),
      ({ rcode }) => rcode === 'NOERROR',
    )

  /** Each client asks both daemons, each a different number of times, so that no two of them have equal sums. */
  async function askAll(): Promise<void> {
    await Promise.all(
      CLIENTS.flatMap((client, n) =>
        ports().flatMap((port) => [
          ledger.ask(port, client, 'udp', [...QUESTIONS, ...QUESTIONS.slice(0, n + 1)]),
          ledger.ask(port, client, 'tcp', QUESTIONS),
        ]),
      ),
    )
  }

  /** The files of counts that are complete, and not in the database yet. */
  const waiting = (dataDir: string) =>
    readdirSync(join(dataDir, 'dnsd', 'counts')).filter((file) => file.endsWith('.counts'))

  /** Waits until all queries up to now are on the disk: each file has the time when its counting ended, and an id. */
  async function untilKept(): Promise<void> {
    const now = Date.now()
    await ask(stack.dnsPort, OF_BOB, 'A')
    await eventually(
      async () => waiting(stack.dataDir),
      (files) => files.some((file) => Number(file.split('-', 1)[0]) > now),
    )
  }

  /** Ends a process, which is restarted. */
  async function restart(pid: () => number, signal: NodeJS.Signals): Promise<void> {
    const before = pid()
    process.kill(before, signal)
    await eventually(
      async () => pid(),
      (now) => now !== before,
    )
  }

  const seriesOf = async (domain: string | undefined, dimension?: Field) => {
    const domain_id = domain === undefined ? undefined : ids.get(domain)
    const params = {
      query: {
        ...(domain_id === undefined ? {} : { domain_id }),
        ...(dimension === undefined ? {} : { dimension }),
      },
    }
    const { data } = await ada.api.GET('/api/dns-stats/series', { params })
    return data
  }

  test('are those of the ledger after an outage of PostgreSQL and the restart of both daemons', async () => {
    await askAll()
    await postgres.stop()
    await askAll()
    // The replica writes its counts to the disk when it stops. The other daemon does so by itself, and is then killed.
    await restart(ofReplica, 'SIGTERM')
    await untilKept()
    await restart(ofDnsd, 'SIGKILL')
    for (const port of ports()) await answers(port, OF_BOB)
    await askAll()
    await postgres.start()
    await askAll()
    for (const pid of [ofReplica, ofDnsd]) await restart(pid, 'SIGTERM')
    await eventually(
      async () => [stack, replica].flatMap(({ dataDir }) => waiting(dataDir)),
      (files) => files.length === 0,
    )
    const total = ledger.rows.length
    const totals = async () => [
      (await seriesOf(undefined))?.total ?? 0,
      (await seriesOf(undefined, 'type'))?.total ?? 0,
    ]
    const isComplete = (all: readonly number[]) => all.every((each) => each >= total)
    const rolledUpWithin = async (limitMs: number) => {
      await restart(() => stack.pidOf('worker'), 'SIGTERM')
      return eventually(totals, isComplete, limitMs)
    }
    // A worker rolls up when it starts. On a busy machine, that can fail: another start is sooner than the next minute.
    const added = await rolledUpWithin(15_000).catch(async () => rolledUpWithin(90_000))
    expect(added).toEqual([total, total])
  })

  test.each([...DOMAINS, undefined])('series (%s)', async (domain) => {
    for (const field of FIELDS) {
      const counts = ledger.by(field, domain)
      const series = await seriesOf(domain, field)
      const values = series?.values.map(({ value, queries }) => [value, queries] as const) ?? []
      expect(Object.fromEntries(values)).toEqual(counts)
      const sums = values.map((_, n) =>
        series?.parts.reduce((sum, part) => sum + (part.values[n] ?? 0), 0),
      )
      expect(sums).toEqual(values.map(([, queries]) => queries))
    }
    const total = domain === undefined ? ledger.rows.length : ledger.of(domain)
    expect((await seriesOf(domain))?.total).toBe(total)
  })

  test('the summary', async () => {
    const { data } = await ada.api.GET('/api/dns-stats/summary')
    const total = ledger.rows.length
    const largestFirst = (counts: Record<string, number>) =>
      Object.entries(counts).toSorted(([, one], [, other]) => other - one)
    expect(data).toMatchObject({
      total_queries_24h: total,
      total_queries_7d: total,
      total_queries_30d: total,
      trend_percent: null,
    })
    expect(new Map(data?.queries_by_domain.map(({ fqdn, queries }) => [fqdn, queries]))).toEqual(
      new Map(DOMAINS.map((domain) => [domain, ledger.of(domain)])),
    )
    expect(data?.top_countries).toEqual(
      largestFirst(ledger.by('country')).map(([country_code, queries]) => ({
        country_code,
        queries,
      })),
    )
    const organizations = new Map(CLIENTS.map((each) => [each.network, each.organization]))
    expect(data?.top_asns).toEqual(
      largestFirst(ledger.by('network')).map(([asn, queries]) => ({
        asn: Number(asn),
        as_org: organizations.get(asn),
        queries,
      })),
    )
  })

  test.each(FIELDS)('the export by %s', async (dimension) => {
    const params = { query: { format: 'json', dimension } } as const
    const answer = await ada.api.GET('/api/dns-stats/export', { params })
    const data = Array.isArray(answer.data) ? answer.data : []
    for (const domain of DOMAINS) {
      const counts: Record<string, number> = {}
      for (const row of data.filter((each) => each.domain === domain)) {
        counts[row.value] = (counts[row.value] ?? 0) + row.queries
      }
      expect(counts).toEqual(ledger.by(dimension, domain))
    }
    expect(data.reduce((sum, { queries }) => sum + queries, 0)).toBe(ledger.rows.length)
  })

  test('the run had every outcome', () => {
    expect(Object.keys(ledger.by('rcode')).toSorted()).toEqual(['NODATA', 'NOERROR', 'NXDOMAIN'])
    expect(ledger.by('type')['other']).toBeGreaterThan(0)
  })
})
