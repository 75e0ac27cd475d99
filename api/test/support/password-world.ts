/** An account whose password is guessed, and a service with limits that counts the evaluations. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { authenticatePassword, type PasswordVerdict } from '../../src/credentials/password.ts'
import { Refusal } from '../../src/rules/errors.ts'
import type { Services } from '../../src/compose.ts'
import { query } from '../../src/database/sql.ts'
import { type ApiWorld, openApiWorld, PASSWORD } from './api-world.ts'

export class PasswordWorld {
  world!: ApiWorld
  /** The name of the account, which is new in each test. */
  name = ''
  id = ''
  /** How many accounts were created. */
  people = 0
  /** How often a password was compared with a hash. */
  evaluated = 0
  /** Whether overload prevents every evaluation. */
  isBusy = false
  #networks = 0

  /** A quick comparison is enough, because the tests count evaluations. */
  readonly passwords: Services['passwords'] = {
    hash: async (password) => password,
    verify: async (hash, password) => {
      if (this.isBusy) throw new Refusal('unavailable', 'Too many sign-ins are in progress.')
      this.evaluated += 1
      return hash === `hash of ${password}`
    },
  }

  async open(): Promise<void> {
    this.world = await openApiWorld({ rateLimits: true }, { passwords: this.passwords })
  }

  async begin(): Promise<void> {
    this.people += 1
    this.name = `person${this.people}`
    this.id = (await this.world.person(this.name)).id
    await this.setPassword(this.id, PASSWORD)
    await query(this.world.knex, 'truncate rate_limits')
    this.evaluated = 0
    this.isBusy = false
  }

  async setPassword(id: string, password: string): Promise<void> {
    const hash = `hash of ${password}`
    await query(this.world.knex, 'update users set password_hash = ? where id = ?', [hash, id])
  }

  /** An address of a network without earlier calls. */
  newNetwork(): string {
    this.#networks += 1
    return `198.18.${this.#networks >> 8}.${this.#networks & 255}`
  }

  attempt(password: string, ip: string, username = this.name): Promise<PasswordVerdict> {
    return authenticatePassword(this.world.services, { username, password, ip })
  }

  /** The call of a router, which it repeats automatically. */
  byMachine(password: string, ip: string, username = this.name): Promise<PasswordVerdict> {
    const claim = { username, password, ip }
    return authenticatePassword(this.world.services, claim, { isMachine: true })
  }

  /** Guesses from one address, one after the other. @returns how many were evaluated */
  async guess(count: number, ip: string, username?: string): Promise<number> {
    const before = this.evaluated
    for (let n = 0; n < count; n += 1) await this.attempt(`guess ${n}`, ip, username)
    return this.evaluated - before
  }
}

/** The world of a file of tests. It is open inside tests. */
export function usePasswordWorld(): PasswordWorld {
  const opened = new PasswordWorld()
  beforeAll(() => opened.open())
  beforeEach(() => opened.begin())
  afterAll(() => opened.world.end())
  return opened
}
