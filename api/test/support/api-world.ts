/** The api over its own database, and accounts that call it. */
import type { FastifyInstance } from 'fastify'
import type { Knex } from 'knex'
import { pino } from 'pino'
import { type AppLimits, buildApp } from '../../src/app.ts'
import { type ApiConfig, apiLoader } from '../../src/config/api.ts'
import { boundedHasher } from '../../src/credentials/bounded-hasher.ts'
import { beginSession } from '../../src/credentials/session.ts'
import { query } from '../../src/database/sql.ts'
import { createServices, type Services, stopServices } from '../../src/compose.ts'
import { outgoingHttpOf } from '../../src/integrations/outgoing-http/configured.ts'
import { type FeedWorld, makeUser, openFeedWorld } from './feed-world.ts'
import { FakeDelegations } from './delegations.ts'
import { FakeTargets } from './outgoing.ts'
import { silentServers } from './silent-servers.ts'
import { quickHasher } from './quick-hasher.ts'

/** An account that calls. */
export interface Caller {
  readonly id: string
  readonly username: string
  /** The headers of a signed-in user. */
  readonly headers: Readonly<Record<string, string>>
}

export interface ApiWorld {
  readonly feed: FeedWorld
  readonly knex: Knex
  readonly app: FastifyInstance
  readonly services: Services
  /** Creates an account with a verified address, and signs it in. */
  person(username: string, accountType?: string): Promise<Caller>
  /** The headers of a new session of an account. */
  signIn(userId: string): Promise<Caller['headers']>
  end(): Promise<void>
}

/** The password of every account that `person` creates. */
export const PASSWORD = 'correct horse battery staple'
let passwordHash: string | undefined

/** Only tests of the CAPTCHA require one. */
const NO_CAPTCHA = { captcha: { provider: 'none' } } as const

/**
 * The normal number of concurrent calls. Late turns of a busy machine must not count as overload, which would cause
 * 503.
 */
const PATIENT = { calls: 128, waiting: 112, loopDelayMs: 60_000 }

/** The api over its services, with limits that a busy machine does not reach. */
export const testApp = async (services: Services, limits: AppLimits = {}) =>
  buildApp(services, { admission: PATIENT, ...limits })

/** The api with zones `homing.test` and, inside it, `eu.homing.test`. It listens nowhere; use `inject`. */
export async function openApiWorld(
  settings: Partial<ApiConfig> = {},
  replaced: Partial<Services> = {},
): Promise<ApiWorld> {
  const feed = await openFeedWorld(['homing.test', 'eu.homing.test'])
  const { knex } = feed
  const config = {
    ...apiLoader.load({ SECRET_KEY: 'x'.repeat(32) }),
    rateLimits: false,
    ...NO_CAPTCHA,
    ...settings,
  }
  // Targets and parent zones of users are on the Internet, which tests do not reach.
  const outgoing = { ...outgoingHttpOf(config), target: new FakeTargets().target }
  const services = createServices(
    { config, knex, log: pino({ level: 'silent' }) },
    {
      outgoing,
      delegation: new FakeDelegations(),
      propagation: silentServers(config),
      passwords: boundedHasher(quickHasher),
      ...replaced,
    },
  )
  const app = await testApp(services)
  await app.ready()
  async function signIn(userId: string): Promise<Caller['headers']> {
    const { token } = await knex.transaction((trx) =>
      beginSession(services, trx, { userId, ip: '192.0.2.1', userAgent: null }),
    )
    return { authorization: `Bearer ${token}` }
  }
  return {
    feed,
    knex,
    app,
    services,
    async person(username, accountType) {
      const id = await makeUser(knex, username, accountType)
      passwordHash ??= await quickHasher.hash(PASSWORD)
      await query(
        knex,
        'update users set password_hash = ?, email_verified_at = now() where id = ?',
        [passwordHash, id],
      )
      return { id, username, headers: await signIn(id) }
    },
    signIn,
    async end() {
      await app.close()
      await stopServices(services)
      await feed.end()
    },
  }
}
