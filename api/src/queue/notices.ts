/**
 * Events of an account's credentials, as the data of the jobs that notify its owner by mail. They contain
 * no secrets.
 */
import type { WorkingCredentials } from '@homing/openapi'

/**
 * Events of a credential that can change names, or of a policy that gives pipelines such
 * credentials.
 */
export type KeyEvent =
  | 'key-made'
  | 'key-rotated'
  | 'key-widened'
  | 'pipeline-trusted'
  | 'token-created'
  | 'token-replaced'

/** The content of the mail, and of the job that sends it. */
export interface KeyNotice {
  readonly event: KeyEvent
  /** The owner's name for it, or the domain that a token updates. */
  readonly name: string
  /** The first characters of the key or token, or the trusted pipelines. */
  readonly mark: string
  /** When, ISO 8601. */
  readonly at: string
  readonly ip: string
  readonly cc: string | null
  readonly client: string | null
}

/** A key that expires soon. */
export interface ExpiringKey {
  readonly name: string
  /** The first characters of the key. */
  readonly mark: string
  /** ISO 8601. */
  readonly endsAt: string
  /** Whether a use before then keeps the key. Absent in jobs of versions that did not say it. */
  readonly endsUnused?: boolean
}

/** A domain that got no update for a while. */
export interface SilentDomain {
  readonly fqdn: string
  /** When it got the last update, or was created; ISO 8601. */
  readonly lastAt: string
  /** Whether `lastAt` is an update. Absent in jobs of versions that did not say it. */
  readonly isUpdated?: boolean
}

/** A domain whose addresses changed. */
export interface ChangedDomain {
  readonly fqdn: string
  /** The addresses that its owner was told last. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Events of a passkey. `copied`: it was refused because its signature counter went back. */
export type PasskeyEvent = 'added' | 'removed' | 'copied'

/** The content of the mail, and of the job that sends it. */
export interface PasskeyNotice {
  readonly event: PasskeyEvent
  /** The owner's name for it. */
  readonly name: string
  /** When, ISO 8601. */
  readonly at: string
}

/** Events of an account's second factors. */
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
  /** Number of unused recovery codes. */
  readonly left: number
}

/** The content of the mail, and of the job that sends it. */
export interface PasswordChangedNotice {
  /** When, ISO 8601. */
  readonly at: string
  /** The credentials that still work. Absent in jobs of versions that did not count them. */
  readonly working?: WorkingCredentials
  /** The credentials that worked before, if the owner had all of them revoked. */
  readonly revoked?: WorkingCredentials
  /** Whether signing in needs a second factor. */
  readonly hasSecondFactor?: boolean
}

/** What a mail says about one monitor. */
export interface MonitorNotice {
  readonly message: 'down' | 'up' | 'certificate' | 'test'
  readonly fqdn: string
  /** Since when it is down or up, when its certificate expires, or when the test was asked for; ISO 8601. */
  readonly at: string
  /** Since when it was down before it was up again; null: it is not known. */
  readonly downSince: string | null
  /** Why it is down, as a sentence; null otherwise. */
  readonly causeText: string | null
}

/** An address that a name server of an own zone has now. */
export interface ServerAddress {
  readonly hostname: string
  readonly addresses: readonly string[]
}

/** What a mail says about an own zone. */
export type OwnZoneNotice = {
  readonly zone: string
  /** Whether the vanity name servers of the account are in it. */
  readonly isVanity: boolean
} & (
  | {
      readonly event: 'verified'
      /** The findings that the owner can complete, as sentences. */
      readonly incomplete?: readonly string[]
    }
  /** `findings`: the errors, as sentences. */
  | { readonly event: 'broken'; readonly findings: readonly string[] }
  | { readonly event: 'lost' }
  /** `at`: when the zone is withheld, ISO 8601. */
  | { readonly event: 'withheld-soon'; readonly at: string }
  | { readonly event: 'withheld' }
  /** The addresses for the glue records at the registrar. */
  | { readonly event: 'addresses'; readonly servers: readonly ServerAddress[] }
)
