/** Accounts whose domains are forwarded, and targets that answer without a network. */
import type { Domain, SavedWebForward } from '@homing/openapi'
import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { OutgoingHttp } from '../../src/integrations/outgoing-http/outgoing-http.ts'
import type { Caller } from './api-world.ts'
import { DomainWorld } from './domain-world.ts'
import { FakeTargets, testOutgoing } from './outgoing.ts'

export class ForwardWorld extends DomainWorld {
  readonly targets = new FakeTargets()
  /** The time of the service. */
  clock = new Date('2026-05-12T08:30:00.000Z')
  readonly #target: OutgoingHttp['target']

  /** @param target sends the requests of checks; without it, `targets` answers */
  constructor(target?: OutgoingHttp['target']) {
    super()
    this.#target = target ?? this.targets.target
  }

  override async open(): Promise<void> {
    const outgoing = { ...testOutgoing(), target: this.#target }
    await super.open({}, { outgoing, now: () => this.clock })
  }

  /** A new domain with an address. */
  async domain(who: Caller, label: string): Promise<Domain> {
    const fqdn = `${this.fresh(label)}.homing.test`
    return this.made(who, { fqdn, record_ip: '203.0.113.7' })
  }

  /** Forwards a new domain. */
  async forwarded(who: Caller, label: string, fields: object): Promise<SavedWebForward> {
    const { id } = await this.domain(who, label)
    const answer = await this.call(who, 'POST', '/api/webforward', { domain_id: id, ...fields })
    assert.equal(answer.status, 201, answer.body)
    return JSON.parse(answer.body) as SavedWebForward
  }

  /** The body of a call that succeeds. */
  async read<Body>(...parts: Parameters<DomainWorld['call']>): Promise<Body> {
    const answer = await this.call(...parts)
    assert.ok(answer.status < 300, answer.body)
    return JSON.parse(answer.body) as Body
  }
}

/** The world of a file of tests. It is open inside tests. */
export function useForwardWorld(target?: OutgoingHttp['target']): ForwardWorld {
  const opened = new ForwardWorld(target)
  beforeAll(() => opened.open())
  beforeEach(() => opened.begin())
  afterAll(() => opened.world.end())
  return opened
}
