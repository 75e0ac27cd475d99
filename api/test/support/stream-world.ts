/** People with domains who follow them, and apps that stream to them. */
import type { FastifyInstance } from 'fastify'
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Services } from '../../src/compose.ts'
import { type LiveOptions, LiveStreams } from '../../src/live/live-streams.ts'
import { type ApiWorld, type Caller, openApiWorld, PASSWORD, testApp } from './api-world.ts'
import { call } from './calls.ts'
import { StreamClient } from './event-stream.ts'

/** How long a test waits for an event. */
export const WAIT = { timeout: 15_000, interval: 20 }

/** An app with streams of its own, as another replica has, and where it listens. */
interface Listening {
  readonly app: FastifyInstance
  readonly url: string
  readonly services: Services
}

interface FollowOptions {
  readonly url?: string
  readonly lastEventId?: string
}

export class StreamWorld {
  world!: ApiWorld
  usual!: Listening
  ada!: Caller
  bob!: Caller
  /** How many of each there were. */
  people = 0
  readonly #open: StreamClient[] = []
  readonly #apps: FastifyInstance[] = []

  async open(): Promise<void> {
    this.world = await openApiWorld()
    this.usual = await this.listening()
  }

  async begin(): Promise<void> {
    this.people += 1
    this.ada = await this.world.person(`ada${this.people}`)
    this.bob = await this.world.person(`bob${this.people}`)
  }

  closeClients(): void {
    for (const client of this.#open.splice(0)) client.close()
  }

  async end(): Promise<void> {
    await Promise.all(this.#apps.map((app) => app.close()))
    await this.world.end()
  }

  async listening(options: Partial<LiveOptions> = {}): Promise<Listening> {
    const { knex, now, log } = this.world.services
    const live = new LiveStreams({ knex, now, log, ...options })
    const services = { ...this.world.services, live }
    const app = await testApp(services)
    this.#apps.push(app)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    return { app, services, url: `http://127.0.0.1:${port}/api/stream` }
  }

  /** Opens a stream and waits until it has begun. */
  async follow(
    { headers }: Pick<Caller, 'headers'>,
    { url = this.usual.url, lastEventId }: FollowOptions = {},
  ): Promise<StreamClient> {
    const client = await StreamClient.open(url, headers, lastEventId)
    this.#open.push(client)
    await client.begun()
    return client
  }

  async as(
    { headers }: Caller,
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<{ readonly id: string }> {
    const reply = await call(this.world.app, method, path, { headers, body })
    assert.ok(reply.status < 300, reply.text)
    return reply.status === 204 ? { id: '' } : reply.json<{ id: string }>()
  }

  /** The name that this test has for a label. */
  fqdn(label: string, zone = 'homing.test'): string {
    return `${label}${this.people}.${zone}`
  }

  register(who: Caller, label: string, zone?: string): Promise<{ readonly id: string }> {
    return this.as(who, 'POST', '/api/domains', { fqdn: this.fqdn(label, zone) })
  }

  change(who: Caller, id: string, record_ipv4: string): Promise<{ readonly id: string }> {
    return this.as(who, 'PUT', `/api/domains/${id}`, { record_ipv4 })
  }

  /** A call of the update URL with the password of the account. */
  async updateByUrl(who: Caller, label: string, ip: string): Promise<void> {
    const basic = Buffer.from(`${who.username}:${PASSWORD}`).toString('base64')
    const answer = await this.world.app.inject({
      url: `/nic/update?hostname=${this.fqdn(label)}&myip=${ip}`,
      headers: { authorization: `Basic ${basic}` },
    })
    assert.match(answer.body, /^(good|nochg) /)
  }
}

/** The world of a file of tests. It is there inside tests. */
export function useStreamWorld(): StreamWorld {
  const opened = new StreamWorld()
  beforeAll(() => opened.open())
  beforeEach(() => opened.begin())
  afterEach(() => opened.closeClients())
  afterAll(() => opened.end())
  return opened
}
