/** The back office over HTTP: an administrator, and a new account in each test. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from './api-world.ts'
import { call, type Reply } from './calls.ts'

export class AdminWorld {
  world!: ApiWorld
  /** The administrator. */
  admin!: Caller
  /** A new account in each test. */
  ada!: Caller
  /** How many of them were created. */
  people = 0

  async open(): Promise<void> {
    this.world = await openApiWorld()
    this.admin = await this.world.person('boss', 'admin')
  }

  async begin(plan: string): Promise<void> {
    this.people += 1
    this.ada = await this.world.person(`ada${this.people}`, plan)
  }

  async get(url: string, { headers } = this.admin): Promise<Reply> {
    return call(this.world.app, 'GET', url, { headers })
  }

  /** A list of administrators: `filter`, `sort` and `range` as JSON, other parameters as given. */
  async list(
    section: 'users' | 'domains' | 'locked-names',
    parameters: Readonly<Record<string, unknown>> = {},
    plain: Readonly<Record<string, string>> = {},
    who = this.admin,
  ): Promise<Reply> {
    const text = new URLSearchParams(plain)
    for (const [name, value] of Object.entries(parameters)) text.set(name, JSON.stringify(value))
    return this.get(`/api/admin/${section}?${text.toString()}`, who)
  }
}

/** The world of a file of tests, with a new account on a plan for each test. It is open inside tests. */
export function useAdminWorld(plan: string): AdminWorld {
  const opened = new AdminWorld()
  beforeAll(() => opened.open())
  beforeEach(() => opened.begin(plan))
  afterAll(() => opened.world.end())
  return opened
}
