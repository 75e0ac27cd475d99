/** A router and the service that it calls, octet by octet, for tests of the update URLs. */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { query } from '../../src/database/sql.ts'
import { digestOf, newSecret } from '../../src/rules/secrets.ts'
import { type ApiWorld, type Caller, openApiWorld, PASSWORD } from './api-world.ts'
import { insertDomain } from './feed-world.ts'
import { answerOf, exchange, type RawAnswer } from './raw-http.ts'

export const basic = (username: string, password = PASSWORD) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** How a request differs from a plain GET of /nic/update by the owner. */
export interface UpdateCall {
  readonly method?: string
  readonly path?: string
  readonly authorization?: string | null
  readonly headers?: readonly string[]
  readonly version?: '1.0' | '1.1'
  readonly body?: string
  readonly to?: { port?: number; host?: string }
}

/** The addresses of a name: IPv4, IPv6. */
type Stored = [string | null | undefined, string | null | undefined]

export class UpdateWorld {
  world!: ApiWorld
  port!: number
  #people = 0
  /** The owner of the updated name; her plan is pro. */
  ada!: Caller
  /** A name of hers with the address 192.0.2.1. */
  host!: string
  hostId!: string

  async open(settings: Parameters<typeof openApiWorld>[0]): Promise<void> {
    this.world = await openApiWorld(settings)
    // Both families, as the service listens in production: IPv4 callers come as ::ffff:a.b.c.d.
    await this.world.app.listen({ host: '::', port: 0 })
    this.port = (this.world.app.server.address() as AddressInfo).port
  }

  /** A new owner with one name. */
  async begin(): Promise<void> {
    this.#people += 1
    this.ada = await this.world.person(`ada${this.#people}`)
    this.host = this.fqdn('home')
    this.hostId = await this.make('home', { ipv4: '192.0.2.1' })
  }

  /** A label that no other test uses. */
  get label(): string {
    return `t${this.#people}`
  }

  /** The name of a label that no other test uses. */
  fqdn(label: string): string {
    return label.replace(/(?=\.|$)/, String(this.#people)) + '.homing.test'
  }

  /** A name by its full text. */
  async add(
    fqdn: string,
    { who = this.ada, ipv4, ipv6 }: { who?: Caller; ipv4?: string; ipv6?: string } = {},
  ): Promise<string> {
    const { knex } = this.world
    const { id } = await insertDomain(knex, { userId: who.id, fqdn, ...(ipv4 && { ipv4 }) })
    if (ipv6) await query(knex, 'update domains set record_ipv6 = ? where id = ?', [ipv6, id])
    return id
  }

  async make(label: string, options: Parameters<UpdateWorld['add']>[1] = {}): Promise<string> {
    return this.add(this.fqdn(label), options)
  }

  /** An update token of a name. */
  async token(domainId = this.hostId): Promise<string> {
    const token = newSecret('update_token', this.world.services.randomBytes)
    await query(
      this.world.knex,
      `insert into update_tokens (domain_id, prefix, secret_digest) values (?, 'ut_', decode(?, 'hex'))`,
      [domainId, digestOf(token)],
    )
    return token
  }

  /** An API key of the owner. */
  async key(): Promise<string> {
    const payload = { name: 'router' }
    const { headers } = this.ada
    const url = '/api/api-keys/'
    const made = await this.world.app.inject({ method: 'POST', url, headers, payload })
    return made.json<{ key: string }>().key
  }

  async ask(search: string, asked: UpdateCall = {}): Promise<RawAnswer> {
    const { authorization = basic(this.ada.username), version = '1.1', body, headers = [] } = asked
    const lines = [
      `${asked.method ?? 'GET'} ${asked.path ?? '/nic/update'}${search && `?${search}`} HTTP/${version}`,
      'Host: update.homing.test',
      ...(authorization === null ? [] : [`Authorization: ${authorization}`]),
      ...(version === '1.1' ? ['Connection: close'] : []),
      ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
      ...headers,
    ]
    return this.send(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, asked.to)
  }

  /** Sends octets as given. @returns the one response */
  async send(octets: string, to: UpdateCall['to'] = {}): Promise<RawAnswer> {
    return answerOf(await exchange({ port: this.port, ...to }, octets))
  }

  /** Status and body: `200 good 192.0.2.1\n`. */
  async said(search: string, asked?: UpdateCall): Promise<string> {
    const { status, body } = await this.ask(search, asked)
    return `${status} ${body}`
  }

  async stored(domainId = this.hostId): Promise<Stored> {
    const [row] = await query<{ ipv4: string | null; ipv6: string | null }>(
      this.world.knex,
      'select host(record_ipv4) as ipv4, host(record_ipv6) as ipv6 from domains where id = ?',
      [domainId],
    )
    return [row?.ipv4, row?.ipv6]
  }
}

/** The world of a file of tests, with a new owner for each. It is open inside tests. */
export function useUpdateWorld(settings: Parameters<typeof openApiWorld>[0] = {}): UpdateWorld {
  const opened = new UpdateWorld()
  beforeAll(async () => opened.open(settings))
  beforeEach(async () => opened.begin())
  afterAll(async () => opened.world.end())
  return opened
}
