/** Ada and a clock that a test sets, for each test anew, as tests of second factors have them. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { ApiConfig } from '../../src/config/api.ts'
import { type ApiWorld, type Caller, openApiWorld } from './api-world.ts'
import { call, type Reply } from './calls.ts'
import { addApp, type AppOwner, codeAt, STEP_MS, wrongCodeAt } from './second-factor.ts'

type Headers = Caller['headers']

export class SecondFactorWorld {
  world!: ApiWorld
  /** What the service takes for the present time. */
  clock = new Date()
  ada!: Caller
  /** How many of her there were. */
  people = 0

  async begin(): Promise<void> {
    this.people += 1
    // Within a step, so that a test which moves the clock knows in which one it is.
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

  /** Gives Ada an app, of which the present code can still be used. */
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

  /** The code that her app shows. @param steps how many steps later than now */
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

/** The world of a file of tests, in which nobody has a second factor yet. It is there inside tests. */
export const useSecondFactorWorld = (settings: Partial<ApiConfig> = {}): SecondFactorWorld =>
  opened(new SecondFactorWorld(), settings)

/** The same, in which Ada has an app. */
export const useAppOwnerWorld = (): AppOwnerWorld => opened(new AppOwnerWorld(), {})
