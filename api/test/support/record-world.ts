/** Accounts with records: below domains, and in zones of their own. */
import type { DnsRecord, Domain } from '@homing/openapi'
import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { query } from '../../src/database/sql.ts'
import { insertZone } from '../../src/feed/new-zone.ts'
import type { Caller } from './api-world.ts'
import { DomainWorld } from './domain-world.ts'

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
    const { knex } = this.world
    const fqdn = `${this.fresh(name)}.example`
    const zoneId = await knex.transaction(async (trx) => {
      const id = await insertZone(trx, { name: fqdn, offered: false, mname: `ns1.${fqdn}` })
      await query(trx, 'update zones set is_own = true, owner_id = ?, is_served = ? where id = ?', [
        who.id,
        state === 'active',
        id,
      ])
      for (const [owner, type, value] of [
        [fqdn, 'NS', `ns1.${fqdn}.`],
        [`ns1.${fqdn}`, 'A', '192.0.2.53'],
      ] as const) {
        await query(
          trx,
          `insert into records (zone_id, owner, type, ttl, rdata, origin) values (?, ?, ?, 3600, array[?], 'system')`,
          [id, owner, type, value],
        )
      }
      return id
    })
    const [claim] = await query<{ id: string }>(
      knex,
      `insert into zone_claims (user_id, name, token, state, proof, active_at)
       values (?, ?, ?, ?, 'delegation', now()) returning id`,
      [who.id, fqdn, `token-${fqdn}`, state],
    )
    const id = claim?.id ?? ''
    return { id, fqdn, zoneId, url: `/api/zones/${id}/records` }
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
