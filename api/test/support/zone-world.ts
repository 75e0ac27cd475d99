/** Accounts with own zones, and a delegation that a test sets. */
import type { DelegationCheck, OwnZone } from '@homing/openapi'
import { DELEGATION_FACTS } from '@homing/openapi/vocabulary'
import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type {
  DelegationChecks,
  DelegationFindings,
  DelegationRequest,
} from '../../src/delegation/types.ts'
import { query } from '../../src/database/sql.ts'
import type { Caller } from './api-world.ts'
import { DomainWorld } from './domain-world.ts'
import { tableState, zoneId } from './feed-world.ts'

/** What a parent zone says about a domain. */
export interface ParentState {
  /** The name servers to which it delegates. `right`: the expected ones. */
  readonly ns: readonly string[] | 'right'
  /** The texts of the TXT record where the domain is hosted. */
  readonly txt?: readonly string[]
}

/** Parent zones without a network: domains that no test set are not delegated. */
export class FakeDelegations implements DelegationChecks {
  readonly #parents = new Map<string, ParentState | 'silent'>()
  readonly requests: DelegationRequest[] = []
  /** Awaited by each check. */
  pause: (() => Promise<void>) | undefined

  set(domain: string, state: ParentState | 'silent'): void {
    this.#parents.set(domain, state)
  }

  check = async (request: DelegationRequest): Promise<DelegationFindings> => {
    this.requests.push(request)
    await this.pause?.()
    const state = this.#parents.get(request.domain) ?? { ns: [] }
    const expected = request.nameservers.map(({ hostname }) => hostname)
    if (state === 'silent') return findings('unknown', expected, [])
    const found = state.ns === 'right' ? expected : state.ns
    // A proof stands beside the name servers.
    const others = found.filter((name) => request.ownershipNames?.includes(name) !== true)
    const isRight = others.toSorted().join(' ') === expected.toSorted().join(' ')
    const isOurs = found.some((name) => expected.includes(name))
    return {
      ...findings(isRight ? 'right' : 'wrong', expected, found),
      isDelegatedToUs: isOurs,
      parentNs: found,
      txt: isOurs ? undefined : (state.txt ?? []),
    }
  }
}

function findings(
  state: 'right' | 'wrong' | 'unknown',
  expected: readonly string[],
  found: readonly string[],
): DelegationFindings {
  const message = `The parent zone names ${found.join(', ') || 'nothing'}.`
  const check: DelegationCheck = {
    is_right: state === 'right',
    parent_zone: 'test',
    facts: DELEGATION_FACTS.map((fact) => ({
      fact,
      state,
      message,
      expected: [...expected],
      found: [...found],
    })),
    parent_servers: [],
    checked_at: '2026-05-12T08:30:00.000Z',
    duration_ms: 5,
  }
  return { check, isDelegatedToUs: undefined, parentNs: [], txt: undefined }
}

export const FIRST_ZONE = 'homing.test'
const START = new Date('2026-05-12T08:30:00.000Z')

export class ZoneWorld extends DomainWorld {
  readonly delegations = new FakeDelegations()
  /** The time of the service. */
  clock = START
  /** Two accounts with the plan elite. */
  eve!: Caller
  mia!: Caller
  #made = 0

  override async open(): Promise<void> {
    await super.open({}, { delegation: this.delegations, now: () => this.clock })
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
