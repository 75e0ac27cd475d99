/**
 * Uptime monitoring by two workers of which one is killed, and while PostgreSQL is unavailable. The target is a server of
 * this test.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { byForm } from '../../test/test-form.ts'
import { type Account, addNames, registerAccount } from '../support/accounts.ts'
import { messagesTo } from '../support/mailbox.ts'
import type { OutageWorld } from '../support/outage.ts'
import type { OwnPostgres } from '../support/own-postgres.ts'
import { type SecondWorker, startSecondWorker } from '../support/second-worker.ts'
import { eventually, type Stack } from '../support/stack.ts'

const FQDN = 'watched.homing.test'
const EMAIL = 'mona@mail.example'
/** In the long form, the lease of the killed worker ends by itself. */
const waitsForLease = byForm({ short: 0, long: 1 }) === 1

/** @param opened a service whose PostgreSQL may stop, without monitors */
export function testMonitors(opened: () => OutageWorld): void {
  describe('uptime monitoring', () => {
    let stack: Stack
    let postgres: OwnPostgres
    let second: SecondWorker
    let client: Client
    let mona: Account
    let target: Server
    let domainId: string
    /** Undefined: the target accepts connections and does not answer. */
    let status: number | undefined = 200

    beforeAll(async () => {
      target = createServer((_request, response) => {
        if (status !== undefined) response.writeHead(status).end('hello')
      })
      await once(target.listen(0, '127.0.0.1'), 'listening')
      const world = opened()
      ;({ stack, postgres } = world)
      second = startSecondWorker({
        ...world.env,
        DATA_DIR: stack.dataDir,
        PORT: new URL(stack.url).port,
      })
      client = new Client({ connectionString: postgres.url })
      await client.connect()
      mona = await registerAccount(stack, 'mona')
      await client.query(`update users set account_type = 'pro' where username = 'mona'`)
      await addNames(mona, [FQDN])
      const { rows } = await client.query<{ id: string }>(
        `update domains set record_ipv4 = '127.0.0.1' where fqdn = $1 returning id`,
        [FQDN],
      )
      domainId = rows[0]?.id ?? ''
    })
    afterAll(async () => {
      await turn(false)
      await client?.end()
      await second?.end('SIGTERM')
      target.close()
    })

    const path = () => ({ params: { path: { id: domainId } } })
    const turn = (enable: boolean) =>
      mona.api.POST('/api/uptime/domain/{id}/monitor', { ...path(), body: { enable } })
    const port = () => (target.address() as AddressInfo).port

    async function rowsOf<Row extends object>(sql: string): Promise<Row[]> {
      return (await client.query<Row>(sql)).rows
    }

    interface Interval {
      readonly state: string
      readonly since: Date
      readonly until: Date | null
    }

    const intervals = () =>
      rowsOf<Interval>('select state, since, until from monitor_intervals order by since, id')
    const states = async () => (await intervals()).map(({ state }) => state)
    const become = (wanted: string) =>
      eventually(
        async () => (await states()).at(-1),
        (state) => state === wanted,
      )
    const lease = async () =>
      (await rowsOf<{ lease: string | null }>('select lease from monitor_schedule'))[0]?.lease

    /** The second worker is killed in the middle of a check, which then belongs to the other one. */
    async function killSecondWorker(): Promise<void> {
      const own = stack.pidOf('worker')
      await eventually(lease, (held) => held === null)
      process.kill(own, 'SIGSTOP')
      status = undefined
      await eventually(lease, (held) => held !== null)
      process.kill(own, 'SIGCONT')
      await second.end('SIGKILL')
      if (waitsForLease) return
      await client.query(`update monitor_schedule set leased_until = now() - interval '1 second'`)
    }

    test('a target goes down and up while one of two workers is killed: each change is stored and mailed once', async () => {
      await turn(true)
      await mona.api.PUT('/api/uptime/domain/{id}', {
        ...path(),
        body: { kind: 'http', port: port() },
      })
      await become('up')
      await eventually(
        () => rowsOf('select name from monitor_workers'),
        (workers) => workers.length === 2,
      )
      await killSecondWorker()
      target.closeAllConnections()
      status = 502
      await become('down')
      const mails = async (subject: RegExp) =>
        (await messagesTo(stack.dataDir, EMAIL)).filter((mail) => subject.test(mail.subject ?? ''))
      await eventually(
        () => mails(/ is down/),
        (found) => found.length > 0,
      )
      status = 200
      await become('up')
      await eventually(
        () => mails(/ is up/),
        (found) => found.length > 0,
      )

      expect((await states()).filter((state) => state !== 'unknown')).toEqual(['up', 'down', 'up'])
      // A mail is stored as sent after the mail server took it.
      const announced = await eventually(
        () =>
          rowsOf<{ message: string; outcome: string }>(
            `select message, outcome from monitor_notifications where message <> 'test' order by id`,
          ),
        (rows) => rows.every(({ outcome }) => outcome !== 'waiting'),
      )
      expect(announced).toEqual([
        { message: 'down', outcome: 'sent' },
        { message: 'up', outcome: 'sent' },
      ])
      const about = await mails(/ is (?:down|up)/)
      expect(about.length).toBe(2)
      expect(new Set(about.map(({ messageId }) => messageId)).size).toBe(2)

      // A monitor that is turned off has no time that goes on.
      await turn(false)
      const ms = { up: 0, down: 0 }
      for (const { state, since, until } of await intervals()) {
        if (state !== 'up' && state !== 'down') continue
        ms[state] += (until?.getTime() ?? NaN) - since.getTime()
      }
      const { data } = await mona.api.GET('/api/uptime/domain/{id}', path())
      expect(data?.uptime_24h).toBe(Math.floor((10_000 * ms.up) / (ms.up + ms.down)) / 100)
      await turn(true)
    })

    // A gap is noticed after 45 s, so only the long form waits for one.
    test.each(byForm<readonly number[]>({ short: [], long: [60_000] }))(
      'PostgreSQL is away for %d ms: that time is unknown, not down',
      async (awayMs) => {
        await become('up')
        const before = (await states()).length
        await client.end()
        await postgres.stop()
        await delay(awayMs)
        await postgres.start()
        client = new Client({ connectionString: postgres.url })
        await client.connect()
        await eventually(states, (found) => found.length > before)
        await become('up')
        expect((await states()).slice(before)).toEqual(['unknown', 'up'])
      },
    )
  })
}
