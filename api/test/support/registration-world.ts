/** An account that is registered, under another name in each test, with a clock that the test sets. */
import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { query } from '../../src/database/sql.ts'
import type { JobName } from '../../src/queue/job-data.ts'
import { type ApiWorld, openApiWorld } from './api-world.ts'
import { call, type CallOptions, type Reply } from './calls.ts'
import { KeepingMailer, linkTokenOf, runJobs } from './mail.ts'

/** The password of every account that is registered without another one. */
export const NEW_PASSWORD = 'correct horse'

export class RegistrationWorld {
  readonly mailer = new KeepingMailer()
  world!: ApiWorld
  /** The service's current time. */
  clock = new Date()
  name = ''
  #people = 0

  async open(): Promise<void> {
    this.world = await openApiWorld({}, { now: () => this.clock })
  }

  begin(): void {
    this.#people += 1
    this.name = `person${this.#people}`
    this.clock = new Date()
    this.mailer.sent.length = 0
  }

  #post(url: string, body: object): Promise<Reply> {
    return call(this.world.app, 'POST', url, { body })
  }

  register(fields: object = {}, headers: CallOptions['headers'] = {}): Promise<Reply> {
    const account = {
      username: this.name,
      email: `${this.name}@example.net`,
      password: NEW_PASSWORD,
    }
    const body = { ...account, ...fields }
    return call(this.world.app, 'POST', '/api/register', { body, headers })
  }

  /** Registers, and returns the token from the mail. */
  async registeredToken(fields?: object): Promise<string> {
    assert.equal((await this.register(fields)).status, 201)
    await this.runJobs()
    return linkTokenOf(this.mailer.sent.at(-1))
  }

  /** Registers in a browser. @returns the token from the mail, and the cookie of the browser */
  async registeredByBrowser(fields?: object): Promise<{ token: string; cookie: string }> {
    const reply = await this.register(fields, {
      origin: this.world.services.config.publicUrl.origin,
    })
    assert.equal(reply.status, 201)
    await this.runJobs()
    const cookie = String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
    return { token: linkTokenOf(this.mailer.sent.at(-1)), cookie }
  }

  resend(email: string): Promise<Reply> {
    return this.#post('/api/resend-verification', { email })
  }

  verify(token: string): Promise<Reply> {
    return this.#post('/api/verify-email', { token })
  }

  /** Opens the link from the mail. */
  follow(token: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return call(this.world.app, 'GET', `/api/verify-email/${token}`, { headers })
  }

  login(fields: object = {}): Promise<Reply> {
    const account = { username_or_email: this.name, password: NEW_PASSWORD }
    return this.#post('/api/login', { ...account, ...fields })
  }

  /** Whether the address of an account is verified. */
  async isVerified(username = this.name): Promise<boolean> {
    const rows = await query(
      this.world.knex,
      'select 1 from users where username = ? and email_verified_at is not null',
      [username],
    )
    return rows.length > 0
  }

  /** @returns the kinds of the jobs that waited */
  runJobs(): Promise<JobName[]> {
    return runJobs(this.world.services, this.mailer)
  }
}

/** The world of a file of tests. It is open inside tests. */
export function useRegistrationWorld(): RegistrationWorld {
  const opened = new RegistrationWorld()
  beforeAll(() => opened.open())
  beforeEach(() => opened.begin())
  afterAll(() => opened.world.end())
  return opened
}

/** How many replies have each status. */
export function countsOf(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
