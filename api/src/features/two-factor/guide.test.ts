/** Runs the commands about two factors in the guide to accounts, in their order. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld, PASSWORD } from '../../../test/support/api-world.ts'
import { codeAt, STEP_MS } from '../../../test/support/second-factor.ts'

const run = promisify(execFile)
const GUIDES = join(import.meta.dirname, '../../../../docs/guides')
let world: ApiWorld
let clock = new Date()

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => clock })
  await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.end())

/** The commands of a section of a guide, one per line. */
function commandsOf(guide: string, title: string): string[] {
  const [, section = ''] = readFileSync(join(GUIDES, guide), 'utf8').split(`\n## ${title}\n`)
  const [own = ''] = section.split('\n## ')
  return Array.from(own.matchAll(/^curl .*$/gm), ([command]) => command)
}

interface Said {
  readonly secret?: string
  readonly token?: string
  readonly login_token?: string
  readonly recovery_codes?: readonly string[]
}

/** A reader, who replaces each placeholder by the value that the service returned earlier. */
class Reader {
  token: string
  #secret = ''
  #loginToken = ''
  #recoveryCode = ''
  readonly #username: string

  constructor(username: string, token: string) {
    this.#username = username
    this.token = token
  }

  #filledIn(command: string): string {
    const { port } = world.app.server.address() as AddressInfo
    return command
      .replace('https://SERVICE', `http://127.0.0.1:${port}`)
      .replace('LOGIN_TOKEN', this.#loginToken)
      .replace('RECOVERY_CODE', this.#recoveryCode)
      .replace('bearer TOKEN', `bearer ${this.token}`)
      .replace(/\bCODE\b/, () => codeAt(this.#secret, clock))
      .replace('"ada"', `"${this.#username}"`)
      .replace('"…"', `"${PASSWORD}"`)
  }

  /** @returns the status */
  async follow(command: string): Promise<number> {
    // Each code works once, so the next command waits for the next one.
    clock = new Date(clock.getTime() + STEP_MS)
    const asked = this.#filledIn(command).replace('curl', `curl -sS -w '\\n%{http_code}'`)
    const { stdout } = await run('sh', ['-c', asked])
    const body = stdout.slice(0, stdout.lastIndexOf('\n'))
    const said = (body === '' ? {} : JSON.parse(body)) as Said
    this.#secret = said.secret ?? this.#secret
    this.#loginToken = said.login_token ?? this.#loginToken
    this.#recoveryCode = said.recovery_codes?.[0] ?? this.#recoveryCode
    this.token = said.token ?? this.token
    return Number(stdout.slice(-3))
  }
}

const tokenOf = (headers: Readonly<Record<string, string>>) =>
  headers['authorization']?.replace('Bearer ', '') ?? ''

test('every command of “Two factors” succeeds, in the order of the guide', async () => {
  const commands = commandsOf('accounts.md', 'Two factors')
  expect(commands).toHaveLength(10)
  const ada = await world.person('ada')
  const reader = new Reader('ada', tokenOf(ada.headers))
  const statuses: number[] = []
  for (const command of commands) statuses.push(await reader.follow(command))
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 204])
})

test('and so does every command of “Lost second factors”', async () => {
  const [command = '', ...others] = commandsOf('administrators.md', 'Lost second factors')
  expect(others).toEqual([])
  const boss = await world.person('boss', 'admin')
  const bob = await world.person('bob')
  const reader = new Reader('boss', tokenOf(boss.headers))
  expect(await reader.follow(command.replace('users/7/', `users/${bob.id}/`))).toBe(204)
})
