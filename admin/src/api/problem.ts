/** Converts the API's problem documents to errors of react-admin. */
import { HttpError } from 'react-admin'
import type { Problem } from './client.ts'

/** The body of an error: the request id, and a message for each invalid field of a form. */
export interface ProblemBody {
  readonly code?: string
  readonly requestId?: string
  readonly errors?: Readonly<Record<string, string>>
  /** The error belongs to a write: the page stays, with what the user typed. */
  readonly isOfWrite?: true
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'detail' in body && 'requestId' in body
}

/** The message for a response that is not a problem document, such as a proxy's page, or for no response. */
function wordsOf(status: number): string {
  if (status === 0) return 'Cannot reach the service. Check your connection and try again.'
  if (status >= 500) return 'The service is temporarily unavailable. Try again in a moment.'
  return `The service sent an unexpected response (status ${status}). Try again.`
}

/**
 * The error of a response. Its message is the problem's `detail`, which is written for users.
 *
 * @param status 0 when there was no response
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

/** Why a write was refused that the user can repeat after another sign-in; undefined for other errors. */
function accessWords({ status, body }: HttpError): string | undefined {
  if (status === 401) {
    return 'Your session has ended. Sign in again in another tab, then try again here.'
  }
  if ((body as ProblemBody).code !== 'forbidden') return undefined
  return 'Your account is no longer an administrator account. Sign in as an administrator in another tab, then try again here.'
}

/**
 * The error of a write. react-admin must not open the sign-in page for it, because that would report a success to the
 * form and discard its text.
 *
 * @param status 0 when there was no response
 */
export function writeError(status: number, body: unknown): HttpError {
  const error = problemError(status, body)
  const told: ProblemBody = { ...(error.body as ProblemBody), isOfWrite: true }
  return new HttpError(accessWords(error) ?? error.message, status, told)
}

/** Whether the error belongs to a write. */
export const isOfWrite = (error: HttpError): boolean =>
  (error.body as ProblemBody).isOfWrite === true

/** The message to show for an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : wordsOf(0)
}

/** The messages by field, if the error has any. */
export function faultsOf(error: unknown): ProblemBody['errors'] {
  return error instanceof HttpError ? (error.body as ProblemBody).errors : undefined
}

/** The code of the problem. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof HttpError ? (error.body as ProblemBody).code : undefined
}

/** The id of the request in the service's log. */
export function requestIdOf(error: unknown): string | undefined {
  return error instanceof HttpError ? (error.body as ProblemBody).requestId : undefined
}
