/** Accounts with own zones, and a delegation that a test sets. */
import type { OwnZone } from '@homing/openapi'
import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { query } from '../../src/database/sql.ts'
import type { Caller } from './api-world.ts'
import { FakeDelegations } from './delegations.ts'
import { DomainWorld } from './domain-world.ts'
import { FakeTargets, testOutgoing } from './outgoing.ts'
import { tableState, zoneId } from './feed-world.ts'

export const FIRST_ZONE = 'homing.test'
const START = new Date('2026-05-12T08:30:00.000Z')

export class ZoneWorld extends DomainWorld {
  readonly delegations = new FakeDelegations()
  /** Of web forwards. */
  readonly targets = new FakeTargets()
  /** The time of the service. */
  clock = START
  /** Two accounts with the plan elite. */
  eve!: Caller
  mia!: Caller
  #made = 0

  override async open(): Promise<void> {
    const outgoing = { ...testOutgoing(), target: this.targets.target }
    await super.open({}, { delegation: this.delegations, outgoing, now: () => this.clock })
  }

  override async begin(): Promise<void> {
    await super.begin()
    this.#made += 1
    this.clock = START
    this.eve = await this.world.person(`eve${this.#made}`, 'elite')
    this.mia = await this.world.person(`mia${this.#made}`, 'elite')
  }

  /** A domain that no other test uses. */
  freshDomain(label = 'brand'): string {
    return `${this.fresh(label)}.example`
  }

  /** The body of a call that succeeds. */
  async read<Body>(...parts: Parameters<DomainWorld['call']>): Promise<Body> {
    const answer = await this.call(...parts)
    assert.ok(answer.status < 300, answer.body)
    return JSON.parse(answer.body) as Body
  }

  async claim(who: Caller, domain: string, fields: object = {}): Promise<OwnZone> {
    return this.read<OwnZone>(who, 'POST', '/api/zones', { domain, ...fields })
  }

  async verify(who: Caller, id: string): Promise<OwnZone> {
    return this.read<OwnZone>(who, 'POST', `/api/zones/${id}/verify`)
  }

  /** A zone that the delegation proves. */
  async active(who: Caller, domain: string): Promise<OwnZone> {
    this.delegations.set(domain, { ns: [] })
    const { id } = await this.claim(who, domain)
    this.delegations.set(domain, { ns: 'right' })
    return this.verify(who, id)
  }

  /** Creates the TXT record of a claim where its domain is hosted now. */
  publishTxt({ zone, tasks }: OwnZone): void {
    const txt = tasks.find(({ method }) => method === 'txt')?.values ?? []
    this.delegations.set(zone, { ns: ['ns.elsewhere.example'], txt })
  }

  /** What DNS serves in a zone; undefined when it does not serve the zone. */
  async content(domain: string): Promise<Record<string, unknown> | undefined> {
    const [served] = await query(this.world.knex, 'select from dns_zone where name = ?', [domain])
    if (served === undefined) return undefined
    return tableState(this.world.knex, await zoneId(this.world.knex, domain))
  }

  /** The mails about own zones that were sent to an account, oldest first. */
  async mails(who: Caller): Promise<Record<string, unknown>[]> {
    const rows = await query<{ data: Record<string, unknown> }>(
      this.world.knex,
      `select data from pgboss.job where name = 'mail' and data ->> 'kind' = 'own-zone' and data ->> 'userId' = ?
       order by created_on, id`,
      [who.id],
    )
    return rows.map(({ data }) => data)
  }
}

/** The world of a file of tests. It is open inside tests. */
export function useZoneWorld(): ZoneWorld {
  const opened = new ZoneWorld()
  beforeAll(() => opened.open())
  beforeEach(() => opened.begin())
  afterAll(() => opened.world.end())
  return opened
}
