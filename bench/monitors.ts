/**
 * 10,000 monitors at 60 seconds on one worker: how late checks begin, and the CPU time of the worker and of PostgreSQL for
 * each check. First all targets answer, then half of them accept connections and never answer. 70 % of the monitors use
 * http and 30 % https, each check with a full TLS handshake.
 */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { TargetPorts } from './support/monitor-targets.ts'
import { insertNames } from './support/names.ts'
import { endedChildrenMs, processMs } from './support/process-time.ts'
import { treeMiB, treeMs } from './support/process-tree.ts'
import { atMost, print, report, type Row } from './support/report.ts'
import { freePort, prepareService, until } from './support/service.ts'

const MONITORS = 10_000
const ACCOUNTS = 200
/** At most 120 checks a minute go to one address. */
const ADDRESSES = 250
const HTTPS_SHARE = 0.3
const INTERVAL_SECONDS = 60
const MEASURED_SECONDS = 60
const GOAL_MS = 5_000

const folder = mkdtempSync(join(tmpdir(), 'homing-bench-monitors-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

await using service = await prepareService()
const client = await service.connect()
const targets = fork(new URL('support/monitor-targets.ts', import.meta.url))
service.defer(() => targets.connected && targets.disconnect())
const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
const subject = ['-subj', '/CN=bench.test', '-addext', 'subjectAltName=DNS:*.bench.test']
const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
execFileSync(
  'openssl',
  ['req', '-x509', ...curve, '-nodes', ...subject, '-keyout', keyFile, '-out', certFile],
  { stdio: 'ignore' },
)
targets.send({ cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') })
const [ports] = (await once(targets, 'message')) as [TargetPorts]

/** Domains with addresses on loopback, each with a monitor. */
async function insertMonitors(): Promise<void> {
  const { zoneId } = await insertNames(client, 0)
  await client.query(
    `insert into users (username, email, password_hash, account_type)
     select 'owner' || n, 'owner' || n || '@bench.test', '', 'admin' from generate_series(1, ${ACCOUNTS}) n`,
  )
  await client.query(
    `with owners as (select array_agg(id) as ids from users where username like 'owner%'),
     made as (
       insert into domains (user_id, zone_id, fqdn, rrtype, record_ipv4, ttl)
       select ids[1 + n % ${ACCOUNTS}], $1, 'm' || n || '.bench.test', 'A', inet '127.1.0.0' + 1 + n % ${ADDRESSES}, 60
       from generate_series(1, ${MONITORS}) n, owners
       returning id, user_id
     )
     insert into monitors (domain_id, user_id, kind, interval_seconds)
     select id, user_id, case when random() < ${HTTPS_SHARE} then 'https' else 'http' end, ${INTERVAL_SECONDS} from made`,
    [zoneId],
  )
}

/** Every monitor begins anew, at a random time within the interval. @param silent the share of targets that do not answer */
async function beginAnew(silent: number): Promise<void> {
  await client.query(
    'truncate monitor_intervals, monitor_results, monitor_counts, monitor_schedule, monitor_notifications',
  )
  await client.query(
    `update monitors set state = 'pending', port = case when random() < $1 then $2 when kind = 'https' then $3 else $4 end::int`,
    [silent, ports.silent, ports.https, ports.http],
  )
  await client.query(
    `insert into monitor_schedule (monitor_id, due_at, expected_by, started_at)
     select id, due_at, due_at + interval '15 seconds', now()
     from monitors, lateral (select now() + random() * id / id * interval '${INTERVAL_SECONDS} seconds' as due_at) due`,
  )
  await client.query('vacuum analyze')
}

const total = async (db: Client, sql: string) =>
  Number((await db.query<{ total: string }>(sql)).rows[0]?.total ?? 0)
const checksSoFar = () => total(client, 'select sum(checks) as total from monitor_schedule')
const lagNow = () => total(client, 'select max(lag_ms) as total from monitor_workers')
const postgresPid = await total(
  client,
  `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as total`,
)

const databaseMs = () => treeMs(postgresPid) + endedChildrenMs(postgresPid)

interface Figures {
  readonly checksPerSecond: number
  readonly lagP99Ms: number
  readonly workerMs: number
  readonly postgresMs: number
  readonly underWay: number
  readonly mebibytes: number
  readonly states: string
}

/** Runs a worker until every monitor has been checked, then measures. */
async function measure(silent: number): Promise<Figures> {
  await beginAnew(silent)
  const metricsPort = await freePort()
  const worker = service.start('api/src/worker.ts', {
    ALLOW_PRIVATE_TARGETS: '1',
    NODE_EXTRA_CA_CERTS: certFile,
    WORKER_METRICS_PORT: String(metricsPort),
  })
  const pid = worker.pid ?? 0
  const unconfirmed = () =>
    total(client, `select count(*) as total from monitors where state = 'pending'`)
  await until('the first checks', async () => (await unconfirmed()) === 0, 3 * INTERVAL_SECONDS)
  // Confirmations of failures are over, too.
  await delay(INTERVAL_SECONDS * 1_000)
  const before = {
    checks: await checksSoFar(),
    worker: processMs(pid),
    postgres: databaseMs(),
  }
  let [lagP99Ms, underWay] = [0, 0]
  for (const end = performance.now() + MEASURED_SECONDS * 1_000; performance.now() < end;) {
    await delay(1_000)
    lagP99Ms = Math.max(lagP99Ms, await lagNow())
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    underWay = Math.max(underWay, Number(/^homing_monitor_under_way (\d+)$/m.exec(metrics)?.[1]))
  }
  const checks = (await checksSoFar()) - before.checks
  const { rows } = await client.query<{ states: string }>(
    `select string_agg(state || ' ' || count, ', ') as states
     from (select state, count(*) from monitors group by 1 order by 1) s`,
  )
  const figures = {
    checksPerSecond: checks / MEASURED_SECONDS,
    lagP99Ms,
    workerMs: (processMs(pid) - before.worker) / checks,
    postgresMs: (databaseMs() - before.postgres) / checks,
    underWay,
    mebibytes: treeMiB(pid),
    states: rows[0]?.states ?? '',
  }
  worker.kill('SIGTERM')
  await once(worker, 'exit')
  return figures
}

function rowsOf(what: string, figures: Figures): Row[] {
  print(`  ${what}: ${figures.states}`)
  return [
    { what: `${what}: checks`, value: figures.checksPerSecond, unit: '/s' },
    { what: `${what}: lag, p99 of a minute`, value: figures.lagP99Ms, unit: 'ms' },
    { what: `${what}: CPU time of the worker`, value: figures.workerMs, unit: 'ms/check' },
    { what: `${what}: CPU time of PostgreSQL`, value: figures.postgresMs, unit: 'ms/check' },
    { what: `${what}: most checks under way`, value: figures.underWay, unit: '' },
    { what: `${what}: memory of the worker`, value: figures.mebibytes, unit: 'MiB' },
  ]
}

await insertMonitors()
const answering = await measure(0)
const halfSilent = await measure(0.5)
report(
  'monitors',
  [...rowsOf('all answer', answering), ...rowsOf('half are silent', halfSilent)],
  [
    atMost('lag p99 when all answer, ms', answering.lagP99Ms, GOAL_MS),
    atMost('lag p99 when half are silent, ms', halfSilent.lagP99Ms, GOAL_MS),
  ],
)
