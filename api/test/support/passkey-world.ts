/** Two people and a clock that a test sets, for each test anew; the first has a passkey. */
import type { Me, SignedIn } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from './api-world.ts'
import type { Authenticator } from './authenticator.ts'
import { call, type Reply } from './calls.ts'
import { KeepingMailer, runJobs } from './mail.ts'
import { PasskeyPages } from './passkeys.ts'

export class PasskeyWorld {
  readonly mailer = new KeepingMailer()
  world!: ApiWorld
  pages!: PasskeyPages
  ada!: Caller
  bob!: Caller
  /** Ada's. */
  key!: Authenticator
  clock = new Date()

  get<T>(url: string, { headers }: Pick<Caller, 'headers'>): Promise<T> {
    return call(this.world.app, 'GET', url, { headers }).then((reply) => reply.json<T>())
  }

  /** Whose session an answer is. */
  async whoIs(reply: Reply): Promise<string> {
    const headers = { authorization: `Bearer ${reply.json<SignedIn>().token}` }
    return (await this.get<Me>('/api/me', { headers })).username
  }
}

/** Opens the world before the tests of a file, and ends it after them. */
export function usePasskeyWorld(): PasskeyWorld {
  const t = new PasskeyWorld()
  let people = 0
  beforeAll(async () => {
    t.world = await openApiWorld({}, { now: () => t.clock })
    t.pages = new PasskeyPages(t.world)
  })
  afterAll(() => t.world.end())
  beforeEach(async () => {
    people += 1
    t.clock = new Date()
    t.ada = await t.world.person(`ada${people}`, 'free')
    t.bob = await t.world.person(`bob${people}`, 'free')
    t.key = (await t.pages.added(t.ada)).authenticator
    // The mail about that is none that a test waits for.
    await runJobs(t.world.services, t.mailer)
    t.mailer.close()
  })
  return t
}
