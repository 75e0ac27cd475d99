/** What happened to an account's credentials, as the jobs that mail its owner carry it. Nothing secret. */
import type { WorkingCredentials } from '@homing/openapi'

/** What happened to a credential that changes names, or to what gives pipelines such credentials. */
export type KeyEvent =
  | 'key-made'
  | 'key-rotated'
  | 'pipeline-trusted'
  | 'token-created'
  | 'token-replaced'

/** What the mail says, and what the job that sends it carries. */
export interface KeyNotice {
  readonly event: KeyEvent
  /** The name that its owner gave it, or the domain that a token updates. */
  readonly name: string
  /** How the key or token begins, or which pipelines are meant. */
  readonly mark: string
  /** When, ISO 8601. */
  readonly at: string
  readonly ip: string
  readonly cc: string | null
  readonly client: string | null
}

/** What became of a passkey. `copied`: it was refused, since it says that it was used less often than it was. */
export type PasskeyEvent = 'added' | 'removed' | 'copied'

/** What the mail tells, and what the job that sends it carries. */
export interface PasskeyNotice {
  readonly event: PasskeyEvent
  /** What the owner calls it. */
  readonly name: string
  /** When, ISO 8601. */
  readonly at: string
}

/** What became of the second factors of an account. */
export type SecondFactorEvent =
  | 'totp-on'
  | 'totp-off'
  | 'recovery-codes-made'
  | 'recovery-code-used'
  | 'second-factors-reset'

export interface SecondFactorNotice {
  readonly event: SecondFactorEvent
  /** When, ISO 8601. */
  readonly at: string
  /** Recovery codes that can still be used. */
  readonly left: number
}

/** What the mail says, and what the job that sends it carries. */
export interface PasswordChangedNotice {
  /** When, ISO 8601. */
  readonly at: string
  /** The credentials that still work. Absent in jobs of versions that did not count them. */
  readonly working?: WorkingCredentials
  /** What worked before, where the owner had all of it revoked. */
  readonly revoked?: WorkingCredentials
  /** Whether signing in takes more than the password. */
  readonly hasSecondFactor?: boolean
}
