/**
 * The rules that protect names and accounts, and that every new kind of object inherits.
 *
 * Each row of an operation that creates, changes or deletes something answers five questions in its field `inherits`. A
 * row without the answers does not compile, and `inheritance.ts` makes the calls that prove them.
 *
 * - `lock`: an administrator's lock holds for a name and everything below it (`api/src/feed/name-locks.ts`). What is
 *   made for a locked domain must not bring it back, and no call of its owner may remove the lock. Proven for every
 *   operation: the call is made about a locked domain where it names one, and the lock stands afterwards.
 * - `reservation`: whatever registers a name asks for reserved labels, locked names and names that are kept for their
 *   last owner (`requireFreeName`, `NameGuard`); whatever frees a name keeps it for its owner. Proven for both.
 * - `stepUp`: an operation that can hand the account over, or that creates a credential that outlives the session,
 *   requires a fresh proof of identity (`stepUp` in the contract). So does every change to another administrator's
 *   account. Proven for all.
 * - `notice`: the owner is told by mail of every new credential and of every change to how one signs in. Proven where
 *   the row's call succeeds.
 * - `passwordReset`: a reset ends sessions, sign-ins under way and links, and lists what else still works, so that the
 *   owner can revoke it. Proven for what is listed, where the row's call succeeds.
 *
 * An answer that begins with `exempt:` says why a rule does not reach the operation. Rows that are alike share one of
 * the constants below.
 */
import type { WorkingCredentials } from '@homing/openapi'
import type { MailJob } from '../../../src/queue/job-data.ts'
import type { MatrixCall } from './row.ts'

type Exempt = `exempt: ${string}`

/** Whether a rule does not reach the operation. */
export const isExempt = (answer: unknown): answer is Exempt =>
  typeof answer === 'string' && answer.startsWith('exempt: ')

export interface InheritedRules {
  /**
   * - a problem code: how the owner of a locked domain is refused
   * - `holds`: the call is made, and the domain stays locked
   * - `clears`: the operation is for administrators and takes the lock away
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
  /** As the contract says it, or `for-administrators`: where the call is about another administrator's account. */
  readonly stepUp: 'always' | 'with-second-factor' | 'when-widened' | 'for-administrators' | Exempt
  /** The mail to the owner, or the job that sends it. */
  readonly notice: MailJob['kind'] | 'change-email' | Exempt
  /** `ends`: what the call made is over. `listed`: it still works, and `working_credentials` counts it under this name. */
  readonly passwordReset: 'ends' | { readonly listed: keyof WorkingCredentials } | Exempt
}

/** What a row answers; `changes nothing` is for calls that only look like changes, and is proven, too. */
export type Inherits = InheritedRules | 'changes nothing'

/** It has nothing to do with names. */
export const NO_NAME = {
  lock: 'exempt: it names no domain',
  reservation: 'exempt: it registers no name and frees none',
} as const satisfies Partial<InheritedRules>

/** Signs somebody in, or makes a step towards it. */
export const SIGNS_IN = {
  ...NO_NAME,
  stepUp: 'exempt: nobody is signed in yet',
  notice: 'exempt: a sign-in from elsewhere is told by mail, others are in the list of sign-ins',
  passwordReset: 'ends',
} as const satisfies InheritedRules

/** Makes or answers a question that is good for minutes, such as a challenge. */
export const ASKS = {
  ...NO_NAME,
  stepUp: 'exempt: it is how the proof is given',
  notice: 'exempt: nothing comes of it but an answer',
  passwordReset: 'exempt: it is over within minutes',
} as const satisfies InheritedRules

/** Sends a link to an address, or uses one up. */
export const BY_LINK = {
  ...NO_NAME,
  stepUp: 'exempt: the link is the proof',
  notice: 'exempt: the link is the mail',
  passwordReset: 'exempt: only a verified address gets a reset',
} as const satisfies InheritedRules

/** Takes access away. */
export const REVOKES = {
  ...NO_NAME,
  stepUp: 'exempt: it only takes access away, which must be quick',
  notice: 'exempt: it only takes access away',
  passwordReset: 'exempt: nothing is left that works',
} as const satisfies InheritedRules

/** Changes how something is called. */
export const LABELS = {
  ...NO_NAME,
  stepUp: 'exempt: it gives nobody access',
  notice: 'exempt: it gives nobody access',
  passwordReset: 'exempt: it gives nobody access',
} as const satisfies InheritedRules

/** Makes a credential that outlives the session. */
export const MAKES_CREDENTIAL = {
  ...NO_NAME,
  stepUp: 'always',
  notice: 'key-notice',
} as const satisfies Partial<InheritedRules>

/** Changes what one signs in with. */
export const CHANGES_SIGN_IN = {
  ...NO_NAME,
  stepUp: 'always',
  notice: 'second-factor',
  passwordReset: 'exempt: a second factor guards the account after a reset, too',
} as const satisfies InheritedRules

/** Changes the addresses of domains, or which of them there are. */
export const CHANGES_DOMAINS = {
  stepUp: 'exempt: routers and scripts do it, too, and the history says who did',
  notice: 'exempt: the history of the domain says it',
  passwordReset: 'exempt: a domain lets nobody in',
} as const satisfies Partial<InheritedRules>

/** An act of an administrator about names. */
export const GOVERNS = {
  reservation: 'exempt: it registers no name and frees none',
  notice: 'exempt: the owner sees the state of the domain',
  passwordReset: 'exempt: it gives nobody access',
} as const satisfies Partial<InheritedRules>
