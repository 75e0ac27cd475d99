/** Two accounts, an issuer whose pipelines they trust, and a clock that tests set. */
import type { NewTrustPolicy, TrustPolicy } from '@homing/openapi'
import type { JWTPayload } from 'jose'
import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { IssuerKeys } from '../../src/integrations/issuer-keys.ts'
import { type ApiWorld, type Caller, openApiWorld } from './api-world.ts'
import { call, type Reply } from './calls.ts'
import { testOutgoing } from './outgoing.ts'
import { TokenIssuer } from './token-issuer.ts'

type Signed = Pick<Caller, 'headers'>

export class TrustWorld {
  world!: ApiWorld
  issuer!: TokenIssuer
  /** The service's current time. */
  clock = new Date()
  /** The clock of the cache of issuers' keys, in milliseconds. */
  ticks = 0
  ada!: Caller
  bob!: Caller
  /** How many accounts of each were created. */
  people = 0
  #tokens = 0

  async open(): Promise<void> {
    this.issuer = await TokenIssuer.open()
    const issuerKeys = new IssuerKeys(testOutgoing().issuer, () => this.ticks)
    const replaced = { now: () => this.clock, issuerKeys }
    this.world = await openApiWorld({ allowsPrivateTargets: true }, replaced)
  }

  async begin(): Promise<void> {
    this.people += 1
    this.clock = new Date()
    this.ticks += 1_000_000
    this.issuer.asked = []
    this.issuer.discovery = {}
    this.ada = await this.world.person(`ada${this.people}`, 'pro')
    this.bob = await this.world.person(`bob${this.people}`, 'pro')
  }

  async end(): Promise<void> {
    await this.world.end()
    await this.issuer.close()
  }

  /** Requests a policy for this issuer. @param fields a repository among them */
  make(fields: object, { headers }: Signed = this.ada): Promise<Reply> {
    const body = { name: 'deploy', issuer: this.issuer.url, ...fields }
    return call(this.world.app, 'POST', '/api/trust-policies/', { headers, body })
  }

  /** Creates a policy of Ada's, for ada/home by default. */
  async made(fields: Partial<NewTrustPolicy> = {}): Promise<TrustPolicy> {
    const isOther = 'repository' in fields || 'repository_id' in fields
    const reply = await this.make(isOther ? fields : { repository: 'ada/home', ...fields })
    assert.equal(reply.status, 201, reply.text)
    return reply.json()
  }

  /** Ada's policies. */
  async list(): Promise<TrustPolicy[]> {
    const { headers } = this.ada
    return (await call(this.world.app, 'GET', '/api/trust-policies/', { headers })).json()
  }

  /** The claims of a trusted pipeline of ada/home on main. @param changes undefined removes a claim */
  claims(changes: object = {}): JWTPayload {
    this.#tokens += 1
    const now = Math.floor(this.clock.getTime() / 1_000)
    return {
      aud: this.world.services.config.publicUrl.origin,
      sub: 'repo:ada/home:ref:refs/heads/main',
      repository: 'ada/home',
      ref: 'refs/heads/main',
      ref_type: 'branch',
      iat: now,
      nbf: now,
      exp: now + 300,
      jti: `token-${this.#tokens}`,
      ...changes,
    }
  }

  send(id: string, body: unknown): Promise<Reply> {
    return call(this.world.app, 'POST', `/api/trust-policies/${id}/exchange`, { body })
  }

  /** Sends a token of the issuer. */
  async exchange(id: string, changes?: object): Promise<Reply> {
    return this.send(id, { token: await this.issuer.token(this.claims(changes)) })
  }
}

/** The world of a file of tests. It is open inside tests. */
export function useTrustWorld(): TrustWorld {
  const opened = new TrustWorld()
  beforeAll(() => opened.open())
  beforeEach(() => opened.begin())
  afterAll(() => opened.end())
  return opened
}
