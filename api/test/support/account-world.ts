/** Two accounts, Ada's and another one, new in each test. */
import type { LoginAttempt, Session } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { query } from '../../src/database/sql.ts'
import { type ApiWorld, type Caller, openApiWorld, PASSWORD } from './api-world.ts'
import { call, type Method, type Reply } from './calls.ts'
import { KeepingMailer } from './mail.ts'

type Headers = Caller['headers']

export class AccountWorld {
  readonly mailer = new KeepingMailer()
  world!: ApiWorld
  /** The service's current time. */
  clock = new Date()
  ada!: Caller
  bob!: Caller
  /** How many accounts of each were created. */
  people = 0

  /** 192.0.2.7 is in Sweden; the country of every other address is unknown. */
  async open(): Promise<void> {
    const countryOf = async (ip: string) => (ip === '192.0.2.7' ? 'SE' : null)
    this.world = await openApiWorld({}, { now: () => this.clock, countryOf })
  }

  async begin(): Promise<void> {
    this.people += 1
    this.clock = new Date()
    this.ada = await this.world.person(`ada${this.people}`)
    this.bob = await this.world.person(`bob${this.people}`)
    this.mailer.sent.length = 0
    await query(this.world.knex, 'delete from pgboss.job')
  }

  as(headers: Headers, method: Method, url: string, body?: unknown): Promise<Reply> {
    return call(this.world.app, method, url, { headers, ...(body === undefined ? {} : { body }) })
  }

  /** Signs Ada in. */
  login(fields: object = {}, headers: Headers = {}): Promise<Reply> {
    const body = { username_or_email: this.ada.username, password: PASSWORD, ...fields }
    return this.as(headers, 'POST', '/api/login', body)
  }

  async isSignedIn(headers: Headers): Promise<boolean> {
    return (await this.as(headers, 'GET', '/api/me')).status === 200
  }

  async sessionsOf(headers: Headers): Promise<Session[]> {
    return (await this.as(headers, 'GET', '/api/me/sessions')).json()
  }

  async loginsOf(headers: Headers): Promise<LoginAttempt[]> {
    await this.world.services.loginHistory.flush()
    return (await this.as(headers, 'GET', '/api/me/login-history')).json()
  }
}

/** The world of a file of tests. It is open inside tests. */
export function useAccountWorld(): AccountWorld {
  const opened = new AccountWorld()
  beforeAll(() => opened.open())
  beforeEach(() => opened.begin())
  afterAll(() => opened.world.end())
  return opened
}
