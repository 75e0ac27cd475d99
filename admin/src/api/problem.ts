/** What the API says when it refuses, as react-admin's screens and forms understand it. */
import { HttpError } from 'react-admin'
import type { Problem } from './client.ts'

/** What an error's body holds: the request's id, and a message for each field of a form that was wrong. */
export interface ProblemBody {
  readonly code?: string
  readonly requestId?: string
  readonly errors?: Readonly<Record<string, string>>
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'detail' in body && 'requestId' in body
}

/** The words of a status whose answer is no problem document: a proxy's page, or nothing. */
function wordsOf(status: number): string {
  if (status === 0) return 'The service cannot be reached. Check your connection and try again.'
  if (status >= 500) return 'The service is not available at the moment. Try again shortly.'
  return `The service gave an answer that cannot be read (${status}).`
}

/**
 * An answer's error. Its message is the problem's `detail`, written for whoever reads it.
 *
 * @param status 0 where there was no answer at all
 */
export function problemError(status: number, body: unknown): HttpError {
  if (!isProblem(body)) return new HttpError(wordsOf(status), status, {} satisfies ProblemBody)
  const { code, detail, requestId, errors } = body
  const faults = errors?.map(({ field, message }) => [field, message] as const)
  const told: ProblemBody = {
    code,
    requestId,
    ...(faults && { errors: Object.fromEntries(faults) }),
  }
  return new HttpError(detail, status, told)
}

/** What to say of anything that went wrong. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : wordsOf(0)
}

/** What was wrong with which field, where that was it. */
export function faultsOf(error: unknown): ProblemBody['errors'] {
  return error instanceof HttpError ? (error.body as ProblemBody).errors : undefined
}

/** The id under which the service's log has the request. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof HttpError ? (error.body as ProblemBody).requestId : undefined
}
