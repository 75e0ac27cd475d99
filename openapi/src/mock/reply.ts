/** Responses of the handlers of the mock API. */
import type { Problem } from '../problem.ts'
import { type ProblemCode, PROBLEMS } from '../vocabulary.ts'

export interface Success<Body> {
  readonly kind: 'success'
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
}

export interface ProblemReply {
  readonly kind: 'problem'
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>
}

/** The success response of the operation. */
export const ok = <const Body = undefined>(
  body: Body = undefined as Body,
  headers: Readonly<Record<string, string>> = {},
): Success<Body> => ({ kind: 'success', body, headers })

interface ProblemOptions {
  readonly detail?: string
  readonly errors?: Problem['errors']
  readonly verdicts?: Problem['verdicts']
  readonly retryAfterSeconds?: number
}

/** A problem document with the status and title of its code. */
export function problem(code: ProblemCode, options: ProblemOptions = {}): ProblemReply {
  const { status, title } = PROBLEMS[code]
  const { detail = `${title}.`, errors, verdicts, retryAfterSeconds } = options
  return {
    kind: 'problem',
    problem: {
      type: `urn:homing:problem:${code}`,
      title,
      status,
      detail,
      code,
      message: detail,
      ...(errors === undefined ? {} : { errors }),
      ...(verdicts === undefined ? {} : { verdicts }),
      requestId: 'request-1',
    },
    headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  }
}
