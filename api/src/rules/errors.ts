/**
 * The errors of the rules. They are ordinary typed errors; only `plugins/problem.ts`
 * turns them into problem documents.
 */
import type { ProblemCode } from '@homing/openapi/vocabulary'

/** One invalid field: what is wrong with it and what is expected. */
export interface FieldFault {
  readonly field: string
  readonly message: string
}

export interface RefusalOptions {
  readonly faults?: readonly FieldFault[]
  /** When trying again makes sense, in whole seconds from now. */
  readonly retryAfterSeconds?: number
}

/**
 * A refusal with a problem code of the contract. Its message is for the person who sent the request.
 */
export class Refusal<Code extends ProblemCode = ProblemCode> extends Error {
  readonly code: Code
  readonly faults: readonly FieldFault[]
  readonly retryAfterSeconds: number | undefined

  constructor(code: Code, message: string, options: RefusalOptions = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.faults = options.faults ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The same answer for what does not exist and for what is somebody else's (docs/design.md "Identity"). */
export const notFound = (what: string) =>
  new Refusal('not-found', `This ${what} does not exist, or it belongs to another account.`)

/**
 * An administrator locked a domain of the caller's.
 *
 * @param consequence what cannot be done for that reason, as a clause: `it cannot be deleted`
 */
export const domainLocked = (fqdn: string, consequence: string) =>
  new Refusal(
    'domain-locked',
    `An administrator locked ${fqdn}, so ${consequence}. Please contact support.`,
  )

/** One or more fields that hold what they may not. */
export const invalid = (...faults: readonly FieldFault[]) =>
  new Refusal('validation-failed', faults.map(({ message }) => message).join(' '), { faults })
