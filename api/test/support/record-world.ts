/** Accounts with records: below domains, and in zones of their own. */
import type { DnsRecord, Domain } from '@homing/openapi'
import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Caller } from './api-world.ts'
import { bearer } from './calls.ts'
import { DomainWorld } from './domain-world.ts'
import { insertOwnZone } from './own-zone.ts'

/** A domain or zone with records, as the calls address it. */
export interface TestPlace {
  readonly id: string
  readonly fqdn: string
  /** `/api/domains/42/records` */
  readonly url: string
}

export class RecordWorld extends DomainWorld {
  /** A new domain with an address. */
  async domain(who: Caller, label: string): Promise<Domain & TestPlace> {
    const fqdn = `${this.fresh(label)}.homing.test`
    const domain = await this.made(who, { fqdn, record_ip: '203.0.113.7' })
    return { ...domain, url: `/api/domains/${domain.id}/records` }
  }

  /** A zone of the account that is proved and served, as the proof of ownership leaves it. */
  async ownZone(
    who: Caller,
    name: string,
    state = 'active',
  ): Promise<TestPlace & { zoneId: string }> {
    const fqdn = `${this.fresh(name)}.example`
    const { claimId: id, zoneId } = await insertOwnZone(this.world.knex, who.id, fqdn, state)
    return { id, fqdn, zoneId, url: `/api/zones/${id}/records` }
  }

  /** A key of the account with a scope. */
  async keyOf(who: Caller, scope: object): Promise<Caller> {
    const made = await this.read<{ key: string }>(who, 'POST', '/api/api-keys/', {
      name: 'k',
      scope,
    })
    return { ...who, headers: bearer(made.key) }
  }

  /** Creates a record. */
  async record(who: Caller, { url }: TestPlace, fields: object): Promise<DnsRecord> {
    const answer = await this.call(who, 'POST', url, fields)
    assert.equal(answer.status, 201, answer.body)
    return JSON.parse(answer.body) as DnsRecord
  }

  /** The body of a call that succeeds. */
  async read<Body>(...parts: Parameters<DomainWorld['call']>): Promise<Body> {
    const answer = await this.call(...parts)
    assert.ok(answer.status < 300, answer.body)
    return JSON.parse(answer.body) as Body
  }

  /** The code and the message of a call that is refused. */
  async problem(...parts: Parameters<DomainWorld['call']>): Promise<[string, string]> {
    const { code, detail } = await this.refused(...parts)
    return [code, detail]
  }
}

/** The world of a file of tests. It is open inside tests. */
export function useRecordWorld(): RecordWorld {
  const opened = new RecordWorld()
  beforeAll(() => opened.open())
  beforeEach(() => opened.begin())
  afterAll(() => opened.world.end())
  return opened
}
