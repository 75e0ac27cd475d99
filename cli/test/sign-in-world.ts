/** A shell whose sign-in is stored in a separate folder for each test, and the server to sign in to. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { me, signedIn } from './fixtures.ts'
import {
  type Ended,
  fakeServer,
  type FakeServer,
  homing,
  type Replies,
  temporaryFolder,
} from './support.ts'

export const LOGIN: Replies = { 'POST /api/login': { body: signedIn } }
export const LOGOUT: Replies = { 'POST /api/logout': { status: 204 } }
export const ME: Replies = { 'GET /api/me': { body: me } }
export const ZONES: Replies = { 'GET /api/zones/available': { body: [{ zone: 'example.net' }] } }
export const BY_PASSWORD = ['login', '--username', 'ada', '--with-password-stdin']

export class SignInWorld {
  server!: FakeServer
  config!: string

  profileFile(name = 'default'): string {
    return join(this.config, 'homing', 'profiles', `${name}.json`)
  }

  /** The token in the profile. */
  keptToken(): string {
    return (JSON.parse(readFileSync(this.profileFile(), 'utf8')) as { token: string }).token
  }

  requests(): string[] {
    return this.server.asked.map(({ request }) => request)
  }

  /** Uses the server that `login` was given, unless the environment names one. */
  run(
    replies: Replies,
    args: string[],
    { input = '', ...env }: Record<string, string> = {},
  ): Promise<Ended> {
    Object.assign(this.server.replies, replies)
    return homing(args, { XDG_CONFIG_HOME: this.config, ...env }, input)
  }

  login(
    args: string[] = [],
    env: Record<string, string> = {},
    replies: Replies = LOGIN,
  ): Promise<Ended> {
    const all = [...BY_PASSWORD, '--server', this.server.url, ...args]
    return this.run(replies, all, { input: 'the pass word\n', ...env })
  }
}

/** The world of a file of tests. It is open inside tests. */
export function useSignInWorld(): SignInWorld {
  const opened = new SignInWorld()
  beforeEach(async () => {
    opened.server = await fakeServer({})
    opened.config = temporaryFolder()
  })
  afterEach(() => opened.server.close())
  return opened
}
