/** Calls of the API through the generated client, with failures as this program tells them. */
import { createApiClient, type ApiClient } from '@homing/openapi/client'
import type { Credentials } from './credentials.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure, failureOf, type ProblemDocument, unreachable } from './failure.ts'

const ANSWER_LIMIT_MS = 30_000

/** A client of `server` that gives up after 30 s and says so as a CommandFailure. */
export function apiAt(server: string): ApiClient {
  return createApiClient({
    baseUrl: server,
    fetch: (request) =>
      fetch(request, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS), redirect: 'error' }).catch(
        (error: unknown) => {
          throw unreachable(server, error)
        },
      ),
  })
}

/** The body of an answer. @throws CommandFailure when it is a problem, or nothing that this API says */
export function bodyOf<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  const { data, error, response } = answer
  if (response.ok && data !== undefined) return data
  const problem = error as Partial<ProblemDocument> | undefined
  if (typeof problem?.detail === 'string') {
    throw failureOf({ ...problem, detail: problem.detail }, response.status)
  }
  const { origin } = new URL(response.url)
  throw new CommandFailure(
    EXIT.failed,
    `${origin} answers ${response.status} and no Homing API. Is --server right?`,
  )
}

/**
 * Calls with the caller's right to: a key as it is, a name and password as a
 * session that lasts as long as the call.
 */
export async function signedIn<T>(
  api: ApiClient,
  credentials: Credentials,
  call: (headers: { authorization: string }) => Promise<T>,
): Promise<T> {
  if (credentials.kind === 'key') return call({ authorization: `Bearer ${credentials.key}` })
  const { username, password } = credentials
  const login = await api.POST('/api/login', { body: { username_or_email: username, password } })
  const headers = { authorization: `Bearer ${bodyOf(login).token}` }
  try {
    return await call(headers)
  } finally {
    await api.POST('/api/logout', { headers }).catch(() => undefined)
  }
}
