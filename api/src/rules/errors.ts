/**
 * Errors of the rules. The rules throw ordinary typed errors; only `plugins/problem.ts` converts
 * them to problem documents.
 */
import type { ProblemCode } from '@homing/openapi/vocabulary'

/** An invalid field: what is wrong with it and what was expected. */
export interface FieldFault {
  readonly field: string
  readonly message: string
}

export interface RefusalOptions {
  readonly faults?: readonly FieldFault[]
  /** Whole seconds until a retry can succeed. */
  readonly retryAfterSeconds?: number
  readonly members?: RefusalMembers
}

/** Members of a problem document that only some codes have (RFC 9457 §3.2). */
export interface RefusalMembers {
  /** With `batch-refused`. */
  readonly verdicts?: readonly object[]
  /** With `secret-not-repeated`. */
  readonly id?: string
}

/**
 * A refusal with a code from the contract's table of problems. Its message is written for the user.
 */
export class Refusal<Code extends ProblemCode = ProblemCode> extends Error {
  readonly code: Code
  readonly faults: readonly FieldFault[]
  readonly retryAfterSeconds: number | undefined
  readonly members: RefusalMembers

  constructor(code: Code, message: string, options: RefusalOptions = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.faults = options.faults ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
    this.members = options.members ?? {}
  }
}

/** The result of a rule, or its refusal, for callers that check many things before they answer. */
export function attempt<T>(check: () => T): T | Refusal {
  try {
    return check()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * The same error whether the thing does not exist or belongs to another account (docs/design.md
 * "Identity").
 */
export const notFound = (what: string) =>
  new Refusal('not-found', `This ${what} does not exist, or it belongs to another account.`)

/**
 * The caller's domain is locked by an administrator.
 *
 * @param consequence what the lock prevents, as a clause: `it cannot be deleted`
 */
export const domainLocked = (fqdn: string, consequence: string) =>
  new Refusal(
    'domain-locked',
    `An administrator locked ${fqdn}, so ${consequence}. Please contact support.`,
  )

/**
 * An administrator disabled the web forward of the caller's domain.
 *
 * @param consequence what this prevents, as a sentence, if that is not what the caller does with the forward
 */
export const forwardDisabled = (fqdn: string, reason: string, consequence?: string) =>
  new Refusal(
    'forward-disabled',
    [
      `An administrator disabled the web forward of ${fqdn}: ${reason.replace(/[.\s]*$/, '')}.`,
      ...(consequence === undefined ? [] : [consequence]),
      'Please contact support.',
    ].join(' '),
  )

/** One or more fields are invalid. */
export const invalid = (...faults: readonly FieldFault[]) =>
  new Refusal('validation-failed', faults.map(({ message }) => message).join(' '), { faults })
