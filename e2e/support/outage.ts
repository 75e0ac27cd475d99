/**
 * An outage of PostgreSQL, as the users of the service see it: clients that update
 * domains, resolvers, an application, a person.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { byForm } from '../../test/test-form.ts'
import { type Account, addNames, registerAccount, signIn, signInAdministrator } from './accounts.ts'
import { type DnsCounts, watchDns } from './dns-watch.ts'
import { addForward } from './forwards.ts'
import { type ForwardWatch, type VisitCounts, watchForward } from './forward-watch.ts'
import { Ledger, readLedger } from './ledger.ts'
import { findLost, type Promised } from './losses.ts'
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts'
import { eventually, type PartName, type Stack, startStack, temporaryDataDir } from './stack.ts'
import { numberOf, startStorm, type StormCounts } from './storm.ts'
import { addressesOf } from './dns.ts'
import { updatesInTables } from './tables.ts'

/** Longer than every time limit of a part that waits for PostgreSQL: each of them ends during the short form, too. */
export const OUTAGE_MS = byForm({ short: 15_000, long: 60_000 })
/** DNS questions and visits that each outage must see. On a busy machine, it lasts until they were asked. */
export const ASKED = OUTAGE_MS / 60
const UPDATED = 40
const CLIENTS = 8
const FORWARDED = 'forwarded.homing.test'
/** Nothing listens there: only the redirect counts. */
const TARGET = 'http://127.0.0.1:9/'
const PARTS: readonly PartName[] = ['api', 'worker', 'dnsd', 'forwarder']

/** The response to one call, and the time that it took. */
export interface Probe {
  readonly what: string
  readonly status: number
  readonly body: string
  readonly retryAfter: string | null
  readonly ms: number
}

export interface OutageReport {
  readonly dns: DnsCounts
  readonly visits: VisitCounts
  readonly updates: StormCounts
  /** Updates acknowledged before the outage, and after PostgreSQL returned. */
  readonly acknowledged: {
    readonly before: number
    readonly during: number
    readonly after: number
  }
  readonly probes: readonly Probe[]
  /** From PostgreSQL's return to the first update that was acknowledged, in milliseconds. */
  readonly recoveryMs: number
  /** Parts that ended during the outage. */
  readonly ended: readonly PartName[]
  readonly lost: readonly string[]
}

/** A service with a PostgreSQL that the test controls. */
export class OutageWorld {
  readonly stack: Stack
  readonly postgres: OwnPostgres
  readonly names: readonly string[]
  /** The variables of the service. */
  readonly env: Readonly<Record<string, string>>
  readonly #folder: { path: string; remove: () => void }
  readonly #administrator: Account
  readonly #ada: Account

  private constructor(made: {
    stack: Stack
    postgres: OwnPostgres
    names: readonly string[]
    env: Readonly<Record<string, string>>
    folder: { path: string; remove: () => void }
    administrator: Account
    ada: Account
  }) {
    this.stack = made.stack
    this.postgres = made.postgres
    this.names = made.names
    this.env = made.env
    this.#folder = made.folder
    this.#administrator = made.administrator
    this.#ada = made.ada
  }

  static async open(): Promise<OutageWorld> {
    const folder = temporaryDataDir()
    const postgres = await startOwnPostgres(folder.path)
    const env = {
      DATABASE_URL: postgres.url,
      RATE_LIMITS: 'off',
      ALLOW_PRIVATE_TARGETS: '1',
      MONITOR_INTERVAL: '1',
    }
    const stack = await startStack({ dataDir: folder.path, env })
    try {
      const administrator = await signInAdministrator(stack)
      const ada = await registerAccount(stack, 'ada')
      const names = Array.from({ length: UPDATED }, (_, n) => `host-${n}.homing.test`)
      await addNames(administrator, names)
      await addForward(administrator, FORWARDED, { target_url: TARGET, status_code: 302 })
      return new OutageWorld({ stack, postgres, names, env, folder, administrator, ada })
    } catch (error) {
      // Its processes would otherwise go on beside the other tests.
      await stack.stop()
      await postgres.stop()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.stack.stop()
    await this.postgres.stop()
    this.#folder.remove()
  }

  /** `OUTAGE_MS` between `begin` and `end`, with all clients active before, during and after it. */
  async liveThrough(begin: () => unknown, end: () => unknown): Promise<OutageReport> {
    const { stack, names } = this
    const pids = PARTS.map((part) => stack.pidOf(part))
    const ledgerFile = join(this.#folder.path, `ledger-${Date.now()}`)
    const ledger = await Ledger.create(ledgerFile)
    const owners = [{ ...this.#administrator, names }]
    const storm = startStorm({ url: stack.url, owners, ledger, seed: 1, clients: CLIENTS })
    await eventually(
      async () => storm.counts.acknowledged,
      (count) => count > names.length,
    )
    const dns = watchDns([stack.dnsPort], names)
    const visits = await this.visit()

    await begin()
    const over = AbortSignal.timeout(OUTAGE_MS)
    // Requests in flight at the start of the outage still get a response. Later requests are refused.
    const { refused } = storm.counts
    await delay(1_000)
    await eventually(
      async () => storm.counts.refused,
      (count) => count >= refused + 2 * CLIENTS,
      30_000,
    )
    const before = storm.counts.acknowledged
    const probes: Probe[] = []
    do {
      probes.push(...(await this.#probeAll()))
      await delay(1_000)
    } while (!over.aborted || Math.min(dns.counts.asked, visits.counts.asked) <= ASKED)
    const during = storm.counts.acknowledged - before
    await end()
    const backMs = performance.now()
    await eventually(
      async () => storm.counts.acknowledged,
      (count) => count > before + during,
    )
    const recoveryMs = performance.now() - backMs
    await eventually(async () => (await fetch(`${stack.url}/api/health`)).ok, Boolean)
    await storm.end()
    await dns.end()
    await visits.end()
    await ledger.close()
    const acknowledged = readLedger(ledgerFile)
    return {
      dns: dns.counts,
      visits: visits.counts,
      updates: storm.counts,
      acknowledged: { before, during, after: acknowledged.length - before - during },
      probes,
      recoveryMs,
      ended: PARTS.filter((part, n) => stack.pidOf(part) !== pids[n]),
      lost: await this.#lost({ acknowledged, lastSent: storm.lastSent }),
    }
  }

  /** Starts visits of a web forward that the forwarder knows, and that is in its snapshot. */
  async visit(): Promise<ForwardWatch> {
    const { dataDir, forwardPort: port } = this.stack
    const snapshot = join(dataDir, 'forwarder', 'forwards.jsonl')
    await eventually(
      () => readFile(snapshot, 'utf8'),
      (text) => text.includes(FORWARDED),
    )
    return watchForward({ port, host: FORWARDED, status: 302, location: TARGET })
  }

  /** Checks that mail is sent, which shows that the worker processes jobs again. */
  async worksAsBefore(): Promise<void> {
    const eve = await registerAccount(this.stack, `eve${Date.now()}`)
    await signIn(this.stack, eve.username, eve.password)
  }

  async #lost(promised: Promised): Promise<string[]> {
    const inTables = await updatesInTables(this.postgres.url)
    const inDns = new Map<string, number | undefined>()
    for (const name of this.names) {
      const shown = await eventually(
        () => this.#inDns(name),
        (number) => number === inTables.get(name),
      )
      inDns.set(name, shown)
    }
    return [...findLost(promised, inTables), ...findLost(promised, inDns)]
  }

  async #inDns(name: string): Promise<number | undefined> {
    const [ipv4] = await addressesOf(this.stack.dnsPort, name, 'A')
    const [ipv6] = await addressesOf(this.stack.dnsPort, name, 'AAAA')
    return numberOf(name, ipv4, ipv6)
  }

  /** Sends the calls of users and their programs in parallel. */
  async #probeAll(): Promise<Probe[]> {
    const { username, password, token } = this.#ada
    const bearer = `Bearer ${token}`
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
    })
    const body = JSON.stringify({ username_or_email: username, password })
    const json = { 'content-type': 'application/json' }
    return Promise.all([
      this.#probe('health', '/api/health'),
      this.#probe('a list of names', '/api/domains', { headers: { authorization: bearer } }),
      this.#probe('signing in', '/api/login', { method: 'POST', headers: json, body }),
      this.#probe('an update', '/nic/update?hostname=host-0.homing.test&myip=192.0.2.200', {
        headers: basic(password),
      }),
      this.#probe('an update with a wrong password', '/nic/update?hostname=host-0.homing.test', {
        headers: basic('a wrong password'),
      }),
    ])
  }

  async #probe(what: string, path: string, init: RequestInit = {}): Promise<Probe> {
    const beganMs = performance.now()
    const answer = await fetch(this.stack.url + path, init)
    const body = await answer.text()
    const ms = performance.now() - beganMs
    return { what, status: answer.status, body, retryAfter: answer.headers.get('retry-after'), ms }
  }
}
