/**
 * The rules that protect names and accounts, and that every new kind of object inherits.
 *
 * Each row of an operation that creates, changes or deletes something answers five questions in its field `inherits`. A
 * row without the answers does not compile, and `inheritance.ts` makes the calls that prove them.
 *
 * - `lock`: an administrator's lock applies to a name and everything below it (`api/src/feed/name-locks.ts`). A call
 * about a locked domain must not bring it back into DNS, and no call of its owner may remove the lock. Proven for every
 * operation: the call is made about a locked domain if it names one, and the lock remains.
 * - `reservation`: an operation that registers a name checks reserved labels, locked names and names that are kept for
 * their last owner (`requireFreeName`, `NameGuard`); an operation that frees a name keeps it for its owner. Both are
 * proven.
 * - `stepUp`: an operation that can hand the account over, or that creates a credential that outlives the session,
 * requires a fresh proof of identity (`stepUp` in the contract). So does every change to another administrator's
 * account. Proven for all.
 * - `notice`: the owner is notified by mail of every new credential and of every change to signing in. Proven if the
 * row's call succeeds.
 * - `passwordReset`: a reset ends sessions, pending sign-ins and links, and lists the credentials that still work, so
 * that the owner can revoke them. The list is proven if the row's call succeeds.
 *
 * An answer that begins with `exempt:` says why a rule does not apply to the operation. Rows with the same answers
 * share one of the constants below.
 */
import type { WorkingCredentials } from '@homing/openapi'
import type { MailJob } from '../../../src/queue/job-data.ts'
import type { MatrixCall } from './call-url.ts'

type Exempt = `exempt: ${string}`

/** Whether a rule does not apply to the operation. */
export const isExempt = (answer: unknown): answer is Exempt =>
  typeof answer === 'string' && answer.startsWith('exempt: ')

export interface InheritedRules {
  /**
   * - a problem code: how the owner of a locked domain is refused
   * - `holds`: the call succeeds, and the domain stays locked
   * - `clears`: the operation is for administrators and removes the lock
   */
  readonly lock: 'domain-locked' | 'withheld' | 'holds' | 'clears' | Exempt
  /**
   * - `registers`: a call that would register this name
   * - `keeps`: the names that the call frees are kept for their owner
   */
  readonly reservation:
    | { readonly registers: (fqdn: string) => MatrixCall }
    | { readonly keeps: true }
    | Exempt
  /** As in the contract, or `for-administrators` if the call is about another administrator's account. */
  readonly stepUp: 'always' | 'with-second-factor' | 'when-widened' | 'for-administrators' | Exempt
  /** The mail to the owner, or the job that sends it. */
  readonly notice: MailJob['kind'] | 'change-email' | Exempt
  /**
   * `ends`: the created credential has ended. `listed`: it still works, and `working_credentials` counts it under this
   * name.
   */
  readonly passwordReset: 'ends' | { readonly listed: keyof WorkingCredentials } | Exempt
}

/** The answers of a row. `changes nothing` is for calls that only look like changes, and is proven too. */
export type Inherits = InheritedRules | 'changes nothing'

/** It does not affect names. */
export const NO_NAME = {
  lock: 'exempt: it names no domain',
  reservation: 'exempt: it registers no name and frees none',
} as const satisfies Partial<InheritedRules>

/** Signs a user in, or is a step of signing in. */
export const SIGNS_IN = {
  ...NO_NAME,
  stepUp: 'exempt: the caller has no session yet',
  notice:
    'exempt: a sign-in from a new network is notified by mail, others are in the sign-in history',
  passwordReset: 'ends',
} as const satisfies InheritedRules

/** Creates or answers a short-lived question, such as a challenge. */
export const ASKS = {
  ...NO_NAME,
  stepUp: 'exempt: it is the proof itself',
  notice: 'exempt: it only returns an answer',
  passwordReset: 'exempt: it expires within minutes',
} as const satisfies InheritedRules

/** Sends a link to an address, or uses one. */
export const BY_LINK = {
  ...NO_NAME,
  stepUp: 'exempt: the link is the proof',
  notice: 'exempt: the link is the mail',
  passwordReset: 'exempt: only a verified address gets a reset',
} as const satisfies InheritedRules

/** Removes access. */
export const REVOKES = {
  ...NO_NAME,
  stepUp: 'exempt: it only removes access, which must be quick',
  notice: 'exempt: it only removes access',
  passwordReset: 'exempt: it leaves no credential that works',
} as const satisfies InheritedRules

/** Changes a display name. */
export const LABELS = {
  ...NO_NAME,
  stepUp: 'exempt: it gives no access',
  notice: 'exempt: it gives no access',
  passwordReset: 'exempt: it gives no access',
} as const satisfies InheritedRules

/** Creates a credential that outlives the session. */
export const MAKES_CREDENTIAL = {
  ...NO_NAME,
  stepUp: 'always',
  notice: 'key-notice',
} as const satisfies Partial<InheritedRules>

/** Changes a method of signing in. */
export const CHANGES_SIGN_IN = {
  ...NO_NAME,
  stepUp: 'always',
  notice: 'second-factor',
  passwordReset: 'exempt: a second factor protects the account after a reset, too',
} as const satisfies InheritedRules

/** Changes the addresses of domains, or creates and deletes domains. */
export const CHANGES_DOMAINS = {
  stepUp: 'exempt: routers and scripts do it, too, and the history says who did it',
  notice: 'exempt: the history of the domain shows it',
  passwordReset: 'exempt: a domain gives no access',
} as const satisfies Partial<InheritedRules>

/** An administrator's operation on names. */
export const GOVERNS = {
  reservation: 'exempt: it registers no name and frees none',
  notice: 'exempt: the owner sees the state of the domain',
  passwordReset: 'exempt: it gives no access',
} as const satisfies Partial<InheritedRules>
