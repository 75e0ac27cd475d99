/** Accounts with domains, for tests of the domain slice. */
import type { Domain, Problem } from '@homing/openapi'
import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { lockDomains } from '../../src/feed/lock-order.ts'
import { publishDomains } from '../../src/feed/publish.ts'
import { query } from '../../src/database/sql.ts'
import { type ApiWorld, type Caller, openApiWorld } from './api-world.ts'
import { replay, tableState, toldSets, zoneId } from './feed-world.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Answer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

/** An RRset of one address, as in the feed. */
export const address = (type: string, ip: string, ttl = 60) => ({ type, ttl, rdata: [ip] })

export class DomainWorld {
  world!: ApiWorld
  /** Id of homing.test. */
  zone!: string
  /** Her plan is pro. */
  ada!: Caller
  /** His is free. */
  bob!: Caller
  #people = 0

  async open(...options: Parameters<typeof openApiWorld>): Promise<void> {
    this.world = await openApiWorld(...options)
    this.zone = await zoneId(this.world.knex)
  }

  /** Creates two accounts for one test. */
  async begin(): Promise<void> {
    this.#people += 1
    this.ada = await this.world.person(`ada${this.#people}`, 'pro')
    this.bob = await this.world.person(`bob${this.#people}`, 'free')
  }

  /** A label that no other test uses. */
  fresh(label: string): string {
    return `${label}-${this.#people}`
  }

  async call(
    who: Caller | undefined,
    method: Method,
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await this.world.app.inject({
      method,
      url,
      headers: { ...who?.headers, ...headers },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  }

  /** Registers a domain. */
  async made(who: Caller, fields: object): Promise<Domain> {
    const answer = await this.call(who, 'POST', '/api/domains', fields)
    assert.equal(answer.status, 201, answer.body)
    return JSON.parse(answer.body) as Domain
  }

  /** The problem document of a call that is refused. */
  async refused(
    who: Caller | undefined,
    method: Method,
    url: string,
    payload?: object,
    headers?: Record<string, string>,
  ): Promise<Problem> {
    const answer = await this.call(who, method, url, payload, headers)
    const problem = JSON.parse(answer.body) as Problem
    assert.equal(problem.status, answer.status)
    return problem
  }

  /** What DNS serves for a name, according to the feed; undefined when the name does not exist. */
  async served(fqdn: string): Promise<unknown> {
    const held = replay(await toldSets(this.world.knex, this.zone))
    assert.deepEqual(held, await tableState(this.world.knex, this.zone))
    return held[fqdn]
  }

  /** Sets a reason for which a name is withheld, like an administrator's tool or a plan would. */
  async withhold(id: string, column: string): Promise<void> {
    await this.world.knex.transaction(async (trx) => {
      await lockDomains(trx, [id])
      await query(trx, `update domains set ${column} = true where id = ?`, [id])
      await publishDomains(trx, [id])
    })
  }

  /** A domain's history, oldest first. */
  async events(domainId: string): Promise<object[]> {
    return query(
      this.world.knex,
      `select kind, actor, actor_id::int, host(old_ipv4) as old, host(new_ipv4) as new, client
       from domain_events where domain_id = ? order by id`,
      [domainId],
    )
  }
}

/** The world of a file of tests. It is open inside tests. */
export function useDomainWorld(): DomainWorld {
  const opened = new DomainWorld()
  beforeAll(() => opened.open())
  beforeEach(() => opened.begin())
  afterAll(() => opened.world.end())
  return opened
}
