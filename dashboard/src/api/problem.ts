/** How a call can fail, as the screens see it. */
import type { components } from '@homing/openapi/client'

type Problem = components['schemas']['Problem']

/** The service answered, and not with what was asked for. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly fields: readonly { readonly field: string; readonly message: string }[]
  /** Names the call in the service's log. */
  readonly requestId: string | undefined
  /** Seconds after which another try makes sense. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: Partial<Problem>, retryAfter: string | null) {
    super(body.detail ?? body.message ?? `Request failed with status ${status}`)
    this.name = 'ApiProblem'
    this.status = status
    this.code = body.code ?? ''
    this.fields = body.errors ?? []
    this.requestId = body.requestId
    const seconds = Number(retryAfter)
    this.retryAfterSeconds = retryAfter !== null && seconds > 0 ? Math.ceil(seconds) : undefined
  }

  /** What is wrong with one field. */
  of(...names: readonly string[]): string | undefined {
    return this.fields.find(({ field }) => names.includes(field))?.message
  }
}

/** No answer came: the service is away, or the way to it. */
export class NetworkFailure extends Error {
  constructor(cause: unknown) {
    super(`Network error: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'NetworkFailure'
  }
}

/** A text that is none of ours, such as a proxy's page, says nothing to a person; its status does. */
function problemBody(error: unknown): Partial<Problem> {
  return typeof error === 'object' && error !== null ? error : {}
}

interface Fetched<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/**
 * What a call came to.
 *
 * @throws ApiProblem for any answer that is no success
 * @throws NetworkFailure when there was no answer
 */
export async function answerOf<T>(
  call: Promise<Fetched<T>>,
): Promise<{ data: T; response: Response }> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw cause instanceof DOMException && cause.name === 'AbortError'
      ? cause
      : new NetworkFailure(cause)
  })
  if (response.ok) return { data: data as T, response }
  throw new ApiProblem(response.status, problemBody(error), response.headers.get('retry-after'))
}
