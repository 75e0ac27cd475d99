/** Ada's account, new in each test, and a clock that tests set, for tests of second factors. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { ApiConfig } from '../../src/config/api.ts'
import { type ApiWorld, type Caller, openApiWorld } from './api-world.ts'
import { call, type Reply } from './calls.ts'
import { addApp, type AppOwner, codeAt, STEP_MS, wrongCodeAt } from './second-factor.ts'

type Headers = Caller['headers']

export class SecondFactorWorld {
  world!: ApiWorld
  /** The service's current time. */
  clock = new Date()
  ada!: Caller
  /** How many accounts of hers were created. */
  people = 0

  async begin(): Promise<void> {
    this.people += 1
    // Within a time step, so that a test that moves the clock knows its step.
    this.clock = new Date(Math.floor(Date.now() / STEP_MS) * STEP_MS + 10_000)
    this.ada = await this.world.person(`ada${this.people}`)
  }

  /** Moves the clock. */
  later(ms: number): void {
    this.clock = new Date(this.clock.getTime() + ms)
  }

  post(url: string, body?: object, headers: Headers = this.ada.headers): Promise<Reply> {
    return call(this.world.app, 'POST', url, { headers, body })
  }

  me(headers: Headers = this.ada.headers): Promise<Reply> {
    return call(this.world.app, 'GET', '/api/me', { headers })
  }

  /** Gives Ada an app whose current code can still be used. */
  addApp(): Promise<AppOwner> {
    return addApp(this.world, this.ada, this.clock)
  }
}

/** Ada has an app from the start. */
export class AppOwnerWorld extends SecondFactorWorld {
  owner!: AppOwner

  override async begin(): Promise<void> {
    await super.begin()
    this.owner = await this.addApp()
  }

  /** The code that her app shows. @param steps how many steps after the current one */
  code(steps = 0): string {
    return codeAt(this.owner.secret, this.clock, steps)
  }

  wrongCode(): string {
    return wrongCodeAt(this.owner.secret, this.clock)
  }
}

function opened<World extends SecondFactorWorld>(
  world: World,
  settings: Partial<ApiConfig>,
): World {
  beforeAll(async () => {
    world.world = await openApiWorld(settings, { now: () => world.clock })
  })
  beforeEach(() => world.begin())
  afterAll(() => world.world.end())
  return world
}

/** The world of a file of tests, in which no account has a second factor yet. It is open inside tests. */
export const useSecondFactorWorld = (settings: Partial<ApiConfig> = {}): SecondFactorWorld =>
  opened(new SecondFactorWorld(), settings)

/** The same, in which Ada has an app. */
export const useAppOwnerWorld = (): AppOwnerWorld => opened(new AppOwnerWorld(), {})
