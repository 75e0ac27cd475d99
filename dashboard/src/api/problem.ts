/** The errors of API calls. */
import type { components } from '@homing/openapi/client'

type Problem = components['schemas']['Problem']

/** The response to a change that was refused because the session had ended, after the user has signed in again. */
export const SIGNED_IN_AGAIN = {
  code: 'signed-in-again',
  detail: 'You are signed in again. Your change was not sent. Please press the button again.',
} as const

/** The service answered with an error. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  /** The service's text for people; undefined when the response had none. */
  readonly detail: string | undefined
  readonly fields: readonly { readonly field: string; readonly message: string }[]
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next attempt. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: Partial<Problem>, retryAfter: string | null) {
    const detail = body.detail ?? body.message
    super(detail ?? `Request failed with status ${status}`)
    this.detail = detail
    this.name = 'ApiProblem'
    this.status = status
    this.code = body.code ?? ''
    this.fields = body.errors ?? []
    this.requestId = body.requestId
    const seconds = Number(retryAfter)
    this.retryAfterSeconds = retryAfter !== null && seconds > 0 ? Math.ceil(seconds) : undefined
  }

  /** Whether the user only has to repeat the action. */
  get isHint(): boolean {
    return this.code === SIGNED_IN_AGAIN.code
  }

  /** The error message of the first of these fields that has one. */
  of(...names: readonly string[]): string | undefined {
    return this.fields.find(({ field }) => names.includes(field))?.message
  }
}

/** The client received no response: the service or the network is unavailable. */
export class NetworkFailure extends Error {
  constructor(cause: unknown) {
    super(`Network error: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'NetworkFailure'
  }

  /** The text for people, as `ApiProblem` has it. */
  readonly detail = 'Network error. Please try again.'
}

/** The text of an error for people: the service's own, or `otherwise` where it sent none. */
export function textOf(error: Error, otherwise: string): string {
  const isCall = error instanceof ApiProblem || error instanceof NetworkFailure
  return (isCall ? error.detail : undefined) ?? otherwise
}

/** Waits for a deletion. What another client has already deleted counts as deleted. @throws ApiProblem, NetworkFailure */
export async function deletionOf(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 404)) throw error
  }
}

/** A body that is not a problem document, such as a proxy's page, is ignored. The message then shows the status. */
function problemBody(error: unknown): Partial<Problem> {
  return typeof error === 'object' && error !== null ? error : {}
}

interface Fetched<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/**
 * The response of a call.
 *
 * @throws ApiProblem for an error response
 * @throws NetworkFailure when there is no response
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
