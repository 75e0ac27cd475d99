/** Access tokens: https://developer.paypal.com/api/rest/authentication/. */
import { randomBytes } from 'node:crypto'
import type { TestClock } from '../clock.ts'
import type { Answer, Call } from '../http-server.ts'
import { PayPalTrouble } from './trouble.ts'

const TOKEN_SECONDS = 32_400

interface Client {
  readonly clientId: string
  readonly clientSecret: string
  readonly clock: TestClock
}

export class AccessTokens {
  /** When each token ends, in milliseconds. */
  readonly #tokens = new Map<string, number>()
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** Ends all tokens. */
  clear(): void {
    this.#tokens.clear()
  }

  /** The answer to a call for a token. */
  issue(call: Call): Answer {
    const expected = Buffer.from(`${this.#client.clientId}:${this.#client.clientSecret}`).toString(
      'base64',
    )
    if (call.headers.authorization !== `Basic ${expected}`)
      return {
        status: 401,
        body: { error: 'invalid_client', error_description: 'Client Authentication failed' },
      }
    if (new URLSearchParams(call.body).get('grant_type') !== 'client_credentials')
      return {
        status: 400,
        body: { error: 'unsupported_grant_type', error_description: 'Grant Type is NULL' },
      }
    const token = `A21AA${randomBytes(24).toString('base64url')}`
    this.#tokens.set(token, this.#client.clock.now() + TOKEN_SECONDS * 1000)
    return {
      status: 200,
      body: {
        scope: 'https://uri.paypal.com/services/subscriptions',
        access_token: token,
        token_type: 'Bearer',
        app_id: 'APP-80W284485P519543T',
        expires_in: TOKEN_SECONDS,
        nonce: new Date(this.#client.clock.now()).toISOString(),
      },
    }
  }

  /** @throws PayPalTrouble for a call without a valid token */
  require({ headers }: Call): void {
    const [scheme, token = ''] = (headers.authorization ?? '').split(' ')
    const end = scheme === 'Bearer' ? this.#tokens.get(token) : undefined
    if (end === undefined || end <= this.#client.clock.now())
      throw new PayPalTrouble(
        401,
        'AUTHENTICATION_FAILURE',
        'invalid_token',
        'Authentication failed due to invalid authentication credentials or a missing Authorization header.',
      )
  }
}
