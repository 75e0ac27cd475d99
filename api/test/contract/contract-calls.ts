/** Calls of every operation of the contract by an administrator, and what the database holds before and after them. */
import assert from 'node:assert/strict'
import { afterAll, beforeAll, expect } from 'vitest'
import { query } from '../../src/database/sql.ts'
import { type ApiWorld, type Caller, openApiWorld } from '../support/api-world.ts'
import { call, type CallOptions, problemOf, type Reply } from '../support/calls.ts'
import { type ListedOperation, listedOperations } from '../support/contract-table.ts'

export const operations = listedOperations.filter(({ access }) => access !== 'update')

/** Plans have names for ids, and the id of a plan must be one of them. No other object has this id. */
const idAt = (url: string) => (url.startsWith('/api/admin/plans/') ? 'free' : '999999999')

/** A path with ids and names of objects that do not exist. */
export const pathOf = ({ url }: ListedOperation) =>
  url.replaceAll(/\{(\w+)\}/g, (_, name) => {
    if (name === 'country') return 'AT'
    return /^id$|_id$/.test(name) ? idAt(url) : 'nothing.homing.test'
  })

/** A valid body: the contract's example, in zones that exist here. */
export function sampleOf({ id, bodyExample }: ListedOperation): Readonly<Record<string, unknown>> {
  if (id === 'createDomain') return { fqdn: 'sample.homing.test', zone: 'homing.test' }
  return bodyExample as Record<string, unknown>
}

/** Requires an error of the client, as a problem document. */
export function expectRefusal(reply: Reply): void {
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect(reply.status).toBeLessThan(500)
  problemOf(reply)
}

export class ContractCalls {
  world!: ApiWorld
  admin!: Caller

  send(operation: ListedOperation, body: unknown, headers: CallOptions['headers'] = {}) {
    return call(this.world.app, operation.method, pathOf(operation), {
      headers: { ...this.admin.headers, ...headers },
      body,
    })
  }

  get(url: string): Promise<Reply> {
    return call(this.world.app, 'GET', url, { headers: this.admin.headers })
  }

  async changesNothing(attempt: () => Promise<void>): Promise<void> {
    const before = await this.#contents()
    await attempt()
    assert.deepEqual(await this.#contents(), before)
  }

  /** The number of rows in each table, and a digest of the accounts. */
  #contents(): Promise<unknown> {
    return query(
      this.world.knex,
      `select (select count(*) from users) as users, (select count(*) from domains) as domains,
              (select count(*) from api_keys) as keys, (select count(*) from sessions) as sessions,
              (select count(*) from mail_links) as links, (select count(*) from pgboss.job) as jobs,
              (select sum(serial) from zone_serials) as serials,
              (select md5(string_agg(u::text, '' order by id)) from users u) as accounts`,
    )
  }
}

/** The calls of a file of tests. Its world is open inside tests. */
export function useContractCalls(): ContractCalls {
  const calls = new ContractCalls()
  beforeAll(async () => {
    calls.world = await openApiWorld()
    calls.admin = await calls.world.person('boss', 'admin')
  })
  afterAll(() => calls.world.end())
  return calls
}
