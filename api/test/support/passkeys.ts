/** Passkeys in tests: a software authenticator, and the calls that a page of the dashboard makes with it. */
import type {
  AddedPasskey,
  Passkey,
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRequest,
} from '@homing/openapi'
import { randomBytes } from 'node:crypto'
import type { ApiWorld, Caller } from './api-world.ts'
import { Authenticator, type AuthenticatorKind, type Oddity } from './authenticator.ts'
import { call, type Reply } from './calls.ts'

/** The problem for every invalid response of an authenticator. */
export const NOT_ACCEPTED = {
  status: 401,
  code: 'wrong-credentials',
  detail: 'The service could not verify this passkey. Please try again.',
}

/** Every error that invalidates a response of an authenticator. */
export const WRONG: readonly (readonly [string, Oddity])[] = [
  ['a page elsewhere', { origin: 'https://evil.test' }],
  ['a page of the same host at another port', { origin: 'http://localhost:1' }],
  ['another service', { rpId: 'evil.test' }],
  ['a challenge that nobody made', { challenge: randomBytes(32).toString('base64url') }],
  ['another ceremony', { type: 'webauthn.create' }],
  ['a frame of another site', { crossOrigin: true }],
  ['nobody who touched it', { isPresent: false }],
  ['a name of somebody else', { userHandle: 'c29tZWJvZHk' }],
]

type Signed = Pick<Caller, 'headers'>

/** The calls of pages that use passkeys. */
export class PasskeyPages {
  readonly #world: ApiWorld

  constructor(world: ApiWorld) {
    this.#world = world
  }

  /** A new authenticator at the service's own pages. */
  authenticator(kind: AuthenticatorKind = {}): Authenticator {
    return new Authenticator(this.#world.services.config.publicUrl.origin, kind)
  }

  post(url: string, body?: unknown, { headers }: Partial<Signed> = {}): Promise<Reply> {
    return call(this.#world.app, 'POST', url, { headers, body })
  }

  start = (person: Signed) => this.post('/api/me/passkeys/options', undefined, person)

  async creation(person: Signed): Promise<PasskeyCreation> {
    return (await this.start(person)).json<PasskeyCreation>()
  }

  /** Adds a passkey. @param odd the invalid parts of the ceremony */
  async add(
    person: Signed,
    authenticator: Authenticator,
    { name = 'key', ...odd }: Oddity & { readonly name?: string } = {},
  ): Promise<Reply> {
    const credential = authenticator.create(await this.creation(person), odd)
    return this.post('/api/me/passkeys', { name, credential }, person)
  }

  /** Adds a valid passkey. @throws Error with the response, when it is refused */
  async added(
    person: Signed,
    kind: AuthenticatorKind = {},
  ): Promise<{ readonly authenticator: Authenticator; readonly passkey: AddedPasskey }> {
    const authenticator = this.authenticator(kind)
    const reply = await this.add(person, authenticator)
    if (reply.status !== 201) throw new Error(reply.text)
    return { authenticator, passkey: reply.json<AddedPasskey>() }
  }

  async list({ headers }: Signed): Promise<Passkey[]> {
    return (await call(this.#world.app, 'GET', '/api/me/passkeys', { headers })).json<Passkey[]>()
  }

  /** The options for an authenticator to sign in. @param loginToken the token from a right password */
  async request(loginToken?: string): Promise<PasskeyRequest> {
    const body = loginToken === undefined ? {} : { login_token: loginToken }
    return (await this.post('/api/login/passkey/options', body)).json<PasskeyRequest>()
  }

  send(credential: PasskeyAssertion, loginToken?: string): Promise<Reply> {
    const body = loginToken === undefined ? {} : { login_token: loginToken }
    return this.post('/api/login/passkey', { ...body, credential })
  }

  /** Signs in with a passkey. @param odd the invalid parts of the ceremony */
  async signIn(
    authenticator: Authenticator,
    { loginToken, ...odd }: Oddity & { readonly loginToken?: string } = {},
  ): Promise<Reply> {
    return this.send(authenticator.get(await this.request(loginToken), odd), loginToken)
  }
}
