/** People with domains: what tests of the domain slice share. */
import type { Domain, Problem } from '@homing/openapi'
import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { lockDomains } from '../../src/feed/lock-order.ts'
import { publishDomains } from '../../src/feed/publish.ts'
import { query } from '../../src/sql.ts'
import { type ApiWorld, type Caller, openApiWorld } from './api-world.ts'
import { replay, tableState, toldSets, zoneId } from './feed-world.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Answer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

/** An RRset of one address, as the feed tells it. */
export const address = (type: string, ip: string, ttl = 60) => ({ type, ttl, rdata: [ip] })

export class DomainWorld {
  readonly world: ApiWorld
  /** Id of homing.test. */
  readonly zone: string
  #people = 0

  constructor(world: ApiWorld, zone: string) {
    this.world = world
    this.zone = zone
  }

  /** Two new accounts: Ada's plan is pro, Bob's is free. */
  async people(): Promise<{ ada: Caller; bob: Caller }> {
    this.#people += 1
    const ada = await this.world.person(`ada${this.#people}`, 'pro')
    const bob = await this.world.person(`bob${this.#people}`, 'free')
    return { ada, bob }
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

  /** What DNS serves for a name, as followers were told; undefined when the name does not exist. */
  async served(fqdn: string): Promise<unknown> {
    const held = replay(await toldSets(this.world.knex, this.zone))
    assert.deepEqual(held, await tableState(this.world.knex, this.zone))
    return held[fqdn]
  }

  /** Sets a reason for which a name is withheld, as an administrator's tool or a plan would. */
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

/** A world for the tests of one file. It is there from `beforeAll` on. */
export function useDomainWorld(): () => DomainWorld {
  let opened: DomainWorld | undefined
  beforeAll(async () => {
    const world = await openApiWorld()
    opened = new DomainWorld(world, await zoneId(world.knex))
  })
  afterAll(() => opened?.world.end())
  return () => {
    if (opened === undefined) throw new Error('the world is opened before all tests')
    return opened
  }
}
