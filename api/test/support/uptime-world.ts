/** An account on the plan pro with one domain, new in each test, and calls about the domain's monitor. */
import type { Monitor } from '@homing/openapi'
import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { query } from '../../src/database/sql.ts'
import { type ApiWorld, type Caller, openApiWorld } from './api-world.ts'
import { call, type Method, type Reply } from './calls.ts'
import { insertDomain } from './feed-world.ts'
import { claimAll, letTimePass, newRecorder, resultOf } from './monitor-world.ts'
import { recordResults } from '../../src/monitoring/store/record-results.ts'

export class UptimeWorld {
  world!: ApiWorld
  ada!: Caller
  /** The id and the name of Ada's domain. */
  id = ''
  host = ''
  people = 0

  async begin(): Promise<void> {
    const { knex } = this.world
    await query(knex, 'delete from monitors')
    this.people += 1
    this.ada = await this.world.person(`ada${this.people}`, 'pro')
    this.host = `home${this.people}.homing.test`
    const domain = { userId: this.ada.id, fqdn: this.host, ipv4: '192.0.2.1' }
    this.id = (await insertDomain(knex, domain)).id
  }

  sql(text: string, ...values: string[]): Promise<object[]> {
    return query(this.world.knex, text, values)
  }

  as(
    method: Method,
    url: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = this.ada.headers,
  ): Promise<Reply> {
    return call(this.world.app, method, url, { headers, ...(body === undefined ? {} : { body }) })
  }

  /** A call about the monitor of Ada's domain. @param rest of its URL */
  about(method: Method, rest = '', body?: unknown): Promise<Reply> {
    return this.as(method, `/api/uptime/domain/${this.id}${rest}`, body)
  }

  turn(enable: boolean): Promise<Reply> {
    return this.about('POST', '/monitor', { enable })
  }

  put(change: object, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const all = { ...this.ada.headers, ...headers }
    return this.as('PUT', `/api/uptime/domain/${this.id}`, change, all)
  }

  setPlan(plan: string): Promise<object[]> {
    return this.sql('update users set account_type = ? where id = ?', plan, this.ada.id)
  }

  /** Checks the domain some milliseconds later. */
  async check(outcome: 'up' | 'down', ms = 60_000): Promise<void> {
    const { knex } = this.world
    const sql = 'select id from monitors where domain_id = ?'
    const [monitor] = await query<{ id: string }>(knex, sql, [this.id])
    const id = monitor?.id ?? ''
    await letTimePass(knex, id, ms)
    const recorder = newRecorder()
    const claimed = await claimAll(knex, recorder)
    assert.deepEqual(
      claimed.map((due) => due.id),
      [id],
    )
    await recordResults(knex, recorder, [resultOf(id, outcome)])
  }

  async read(): Promise<Monitor> {
    return (await this.about('GET')).json<Monitor>()
  }
}

/** The world of a file of tests. */
export function useUptimeWorld(...options: Parameters<typeof openApiWorld>): UptimeWorld {
  const t = new UptimeWorld()
  beforeAll(async () => {
    t.world = await openApiWorld(...options)
  })
  afterAll(() => t.world.end())
  beforeEach(() => t.begin())
  return t
}
