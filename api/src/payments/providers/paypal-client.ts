/**
 * Requests to PayPal's REST APIs, through the outgoing door.
 *
 * The access token is kept until shortly before it ends, and renewed once when PayPal no longer takes it. A call of ours
 * can be several requests; all of them together have one time limit. Nothing is repeated here: jobs repeat what failed,
 * with the same `PayPal-Request-Id`, so PayPal does nothing twice.
 */
import type { PaypalConfig } from '../../config/payments.ts'
import type {
  OutgoingHttp,
  OperatorRequest,
} from '../../integrations/outgoing-http/outgoing-http.ts'
import { trouble, troubleOfFailure, troubleOfStatus } from './paypal-trouble.ts'

/** For one request. PayPal needs some seconds to activate or cancel a subscription. */
const REQUEST_LIMIT_MS = 9_000
/** For one call of ours. */
const CALL_LIMIT_MS = 19_000
/** Lists of transactions. */
const BODY_LIMIT_BYTES = 1024 * 1024
/** Without the permission, or not at this server. */
const NOT_OFFERED: readonly number[] = [403, 404, 405, 501]
/** A token is renewed this long before it ends. */
const RENEW_BEFORE_MS = 60_000

export interface PaypalRequest {
  readonly method?: 'GET' | 'POST'
  /** With its query. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** JSON that was made before, byte for byte. */
  readonly rawBody?: string
  /** `PayPal-Request-Id`: PayPal does the same request with the same id once. */
  readonly key?: string
  /** Whether the answer has the whole object. */
  readonly wantsAll?: boolean
  /** For a `POST` that changes nothing. */
  readonly isRead?: true
}

/** The requests of one call. */
export interface PaypalCall {
  /** @throws ProviderTrouble */
  readonly send: <T>(request: PaypalRequest) => Promise<T>
  /** Undefined: PayPal does not know the object. @throws ProviderTrouble */
  readonly find: <T>(path: string) => Promise<T | undefined>
  /** As `find`, of what the service can do without. Undefined also: the app lacks the permission. @throws ProviderTrouble */
  readonly findOptional: <T>(path: string) => Promise<T | undefined>
}

interface Token {
  readonly value: string
  /** By the monotonic clock. In the past once PayPal refused it. */
  endsAt: number
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

export class PaypalClient {
  readonly config: PaypalConfig
  readonly outgoing: OutgoingHttp
  readonly #requestLimitMs: number
  #token: Promise<Token> | undefined

  constructor(config: PaypalConfig, outgoing: OutgoingHttp, requestLimitMs = REQUEST_LIMIT_MS) {
    this.config = config
    this.outgoing = outgoing
    this.#requestLimitMs = requestLimitMs
  }

  /** Does the requests of one call of ours within its time limit. @throws ProviderTrouble */
  async call<T>(work: (call: PaypalCall) => Promise<T>): Promise<T> {
    const end = performance.now() + CALL_LIMIT_MS
    const find = async <R>(path: string, absent: readonly number[]) => {
      const { status, body } = await this.#authorized({ path }, end)
      if (absent.includes(status)) return undefined
      if (status === 200) return body as R
      throw troubleOfStatus(status, body, false)
    }
    return work({
      send: async <R>(request: PaypalRequest) => {
        const { status, body } = await this.#authorized(request, end)
        if (status >= 200 && status < 300) return body as R
        throw troubleOfStatus(status, body, canChange(request))
      },
      find: async <R>(path: string) => find<R>(path, [404]),
      findOptional: async <R>(path: string) => find<R>(path, NOT_OFFERED),
    })
  }

  async #authorized(request: PaypalRequest, end: number): Promise<Answer> {
    const token = await this.#tokenNow(end)
    const answer = await this.#exchange(request, token, end)
    if (answer.status !== 401) return answer
    token.endsAt = -Infinity
    return this.#exchange(request, await this.#tokenNow(end), end)
  }

  async #exchange(request: PaypalRequest, token: Token, end: number): Promise<Answer> {
    const { method = 'GET', path, body, rawBody, key, wantsAll = false } = request
    const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
    return this.#http(
      {
        url: new URL(path, this.config.apiBase),
        method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token.value}`,
          // Also without a body: PayPal answers 415 otherwise.
          'content-type': 'application/json',
          ...(key !== undefined && { 'paypal-request-id': key }),
          ...(wantsAll && { prefer: 'return=representation' }),
        },
        ...(text !== undefined && { body: text }),
      },
      end,
      canChange(request),
    )
  }

  async #http(request: OperatorRequest, end: number, changes: boolean): Promise<Answer> {
    const left = Math.ceil(end - performance.now())
    if (left <= 0) throw trouble('unavailable', 'timeout')
    try {
      const { status, body } = await this.outgoing.operator({
        ...request,
        timeLimitMs: Math.min(this.#requestLimitMs, left),
        bodyLimitBytes: BODY_LIMIT_BYTES,
      })
      return { status, body: jsonOf(body) }
    } catch (error) {
      throw troubleOfFailure(error, changes)
    }
  }

  /** Concurrent callers share one request. */
  async #tokenNow(end: number): Promise<Token> {
    const kept = this.#token
    if (kept !== undefined) {
      const token = await kept
      if (token.endsAt > performance.now()) return token
      if (this.#token === kept) this.#token = undefined
    }
    if (this.#token === undefined) {
      const fresh = this.#fetchToken(end)
      this.#token = fresh
      fresh.catch(() => {
        if (this.#token === fresh) this.#token = undefined
      })
    }
    return this.#token
  }

  async #fetchToken(end: number): Promise<Token> {
    const { clientId, clientSecret, apiBase } = this.config
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const { status, body } = await this.#http(
      {
        url: new URL('/v1/oauth2/token', apiBase),
        method: 'POST',
        headers: {
          accept: 'application/json',
          authorization: `Basic ${basic}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      },
      end,
      false,
    )
    const { access_token: value, expires_in: seconds } = (body ?? {}) as Record<string, unknown>
    if (status !== 200 || typeof value !== 'string' || typeof seconds !== 'number') {
      // A wrong key is the operator's to correct: what was wanted is repeated until then.
      throw trouble('unavailable', status === 401 ? 'invalid_client' : `token status ${status}`)
    }
    return { value, endsAt: performance.now() + seconds * 1_000 - RENEW_BEFORE_MS }
  }
}

const canChange = ({ method, isRead }: PaypalRequest): boolean =>
  method === 'POST' && isRead !== true

/** Undefined for an empty answer, or one that is not JSON. */
function jsonOf(body: Buffer): unknown {
  try {
    return body.length === 0 ? undefined : JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
