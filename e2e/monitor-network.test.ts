/**
 * The network of the checking machine fails: the service is in one network namespace, the monitored servers are in another
 * one, and the cable between them is cut.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, createNamespace, type Namespace } from './support/namespaces.ts'
import { eventually, ROOT, type Stack, startStack, temporaryDataDir } from './support/stack.ts'
import { embeddedUrl } from './support/tables.ts'

const ACCOUNTS = 5
/**
 * More than the 20 whose failures make the worker blind. Each check that waits for a response when the cable is cut fails only
 * at its time limit, after the others have failed twice: with MONITOR_INTERVAL=1, their mails would be sent by then.
 */
const MONITORS = 30
const PORT = 8_000
const script = (name: string) => join(ROOT, 'e2e/support', name)

const folder = temporaryDataDir()
let inside: Namespace
let outside: Namespace
let stack: Stack

beforeAll(async () => {
  inside = await createNamespace()
  outside = await createNamespace()
  // Each monitor has an address of its own: the checks of an address are limited.
  const addresses = Array.from({ length: MONITORS }, (_, n) => `10.77.0.${n + 2}/24`)
  await connect(
    { namespace: inside, interface: 'inside', addresses: ['10.77.0.1/24'] },
    { namespace: outside, interface: 'outside', addresses },
  )
  const [program, words] = outside.within(process.execPath, script('plain-target.ts'), String(PORT))
  const target = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(target.stdout, 'data')
  const env = { RATE_LIMITS: 'off', ALLOW_PRIVATE_TARGETS: '1', MONITOR_INTERVAL: '1' }
  stack = await startStack({ dataDir: folder.path, env, namespace: inside })
  await sql(
    `insert into users (username, email, password_hash, account_type, email_verified_at)
     select 'owner' || n, 'owner' || n || '@mail.example', '', 'pro', now() from generate_series(1, ${ACCOUNTS}) n`,
  )
  await sql(
    `with owners as (select array_agg(id) as ids from users where username like 'owner%'), made as (
       insert into domains (user_id, zone_id, fqdn, rrtype, record_ipv4, ttl)
       select ids[1 + n % ${ACCOUNTS}], z.id, 'm' || n || '.' || z.name, 'A', inet '10.77.0.1' + n, 60
       from generate_series(1, ${MONITORS}) n, owners, (select id, name from zones limit 1) z
       returning id, user_id
     )
     insert into monitors (domain_id, user_id, kind, port, interval_seconds, state)
     select id, user_id, 'http', ${PORT}, 1, 'off' from made`,
  )
})
afterAll(async () => {
  await stack?.stop()
  await inside?.release()
  await outside?.release()
  folder.remove()
})

async function sql<Row>(text: string): Promise<Row[]> {
  const url = embeddedUrl(folder.path)
  return JSON.parse(await inside.run(process.execPath, script('run-sql.ts'), url, text)) as Row[]
}

/** Waits until all monitors have this state. */
const allBecome = (state: string) =>
  eventually(
    () =>
      sql<{ state: string; n: number }>(
        'select state, count(*)::int as n from monitors group by 1',
      ),
    (found) => found.length === 1 && found[0]?.state === state && found[0].n === MONITORS,
  )
const cable = (to: 'up' | 'down') => outside.run('ip', 'link', 'set', 'outside', to)

test('while the service has no network, monitors are unknown, and no mail is sent', async () => {
  await allBecome('up')
  await cable('down')
  await allBecome('unknown')
  expect(await sql('select distinct cause from monitors')).toEqual([{ cause: 'checker-offline' }])
  const isBlind = async () =>
    (await sql<{ is_blind: boolean }>('select is_blind from monitor_workers'))[0]
  await eventually(isBlind, (worker) => worker?.is_blind === true)
  await cable('up')
  await allBecome('up')
  const intervals = await sql('select distinct state from monitor_intervals order by 1')
  expect(intervals).toEqual([{ state: 'unknown' }, { state: 'up' }])
  expect(await sql('select monitor_id, message, outcome from monitor_notifications')).toEqual([])
  expect(readdirSync(folder.path)).not.toContain('mail')
})
