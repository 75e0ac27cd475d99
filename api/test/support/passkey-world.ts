/** Two accounts, new in each test, and a clock that tests set, for tests of passkeys. */
import type { Me, SignedIn } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Services } from '../../src/compose.ts'
import { type ApiWorld, type Caller, openApiWorld } from './api-world.ts'
import type { Authenticator } from './authenticator.ts'
import { bearer, call, type Reply } from './calls.ts'
import { KeepingMailer, runJobs } from './mail.ts'
import { PasskeyPages } from './passkeys.ts'

type Signed = Pick<Caller, 'headers'>

/** Nobody has a passkey yet. */
export class PasskeyPeople {
  readonly mailer = new KeepingMailer()
  world!: ApiWorld
  pages!: PasskeyPages
  ada!: Caller
  bob!: Caller
  /** The service's current time. */
  clock = new Date()
  /** How many accounts of each were created. */
  people = 0

  async open(replaced: Partial<Services>): Promise<void> {
    this.world = await openApiWorld({}, { now: () => this.clock, ...replaced })
    this.pages = new PasskeyPages(this.world)
  }

  async begin(): Promise<void> {
    this.people += 1
    this.clock = new Date()
    this.ada = await this.world.person(`ada${this.people}`, 'free')
    this.bob = await this.world.person(`bob${this.people}`, 'free')
    await this.forgetMail()
  }

  /** Discards waiting and sent mail that the test does not check. */
  async forgetMail(): Promise<void> {
    await runJobs(this.world.services, this.mailer)
    this.mailer.close()
  }

  get<T>(url: string, { headers }: Signed): Promise<T> {
    return call(this.world.app, 'GET', url, { headers }).then((reply) => reply.json<T>())
  }

  rename(id: string, body: unknown, { headers }: Signed = this.ada): Promise<Reply> {
    return call(this.world.app, 'PUT', `/api/me/passkeys/${id}`, { headers, body })
  }

  remove(id: string, { headers }: Signed = this.ada): Promise<Reply> {
    return call(this.world.app, 'DELETE', `/api/me/passkeys/${id}`, { headers })
  }
}

/** Gives Ada a passkey. */
export class PasskeyWorld extends PasskeyPeople {
  /** Ada's. */
  key!: Authenticator

  override async begin(): Promise<void> {
    await super.begin()
    this.key = (await this.pages.added(this.ada)).authenticator
    await this.forgetMail()
  }

  /** The user of the session in a response. */
  async whoIs(reply: Reply): Promise<string> {
    const headers = bearer(reply.json<SignedIn>().token)
    return (await this.get<Me>('/api/me', { headers })).username
  }
}

function opened<World extends PasskeyPeople>(world: World, replaced: Partial<Services>): World {
  beforeAll(() => world.open(replaced))
  beforeEach(() => world.begin())
  afterAll(() => world.world.end())
  return world
}

/** The world of a file of tests in which no account has a passkey yet. It is open inside tests. */
export const usePasskeyPeople = (replaced: Partial<Services> = {}): PasskeyPeople =>
  opened(new PasskeyPeople(), replaced)

/** The same, in which Ada has one. */
export const usePasskeyWorld = (): PasskeyWorld => opened(new PasskeyWorld(), {})
