/** The data of each kind of job, and the mails that the service sends. */
import type {
  ChangedDomain,
  ExpiringKey,
  KeyNotice,
  OwnZoneNotice,
  PasskeyNotice,
  PasswordChangedNotice,
  SecondFactorNotice,
  SilentDomain,
} from './notices.ts'
import type { PaymentMail } from './payment-mail.ts'

/** The data of each kind of job. It must not contain secrets: these rows are kept for a day. */
export interface JobData {
  /**
   * A new account: sends a link to its address, or a notice to the account that already has the
   * address.
   */
  registration: { readonly userId: string; readonly mayNotify: boolean }
  'resend-verification': { readonly email: string }
  'forgot-password': { readonly email: string }
  'change-email': EmailWish
  mail: MailJob
  'account-plan': { readonly userId: string }
  /** A name lock affects more domains than one transaction changes. */
  'name-lock': { readonly fqdn: string }
  /** A target was blocked, or is not blocked any more: stops or starts the web forwards to it. */
  'blocked-target': { readonly id: string }
  /** Forwarded domains publish other addresses: publishes the forwards whose ids are above `after`. */
  'forward-addresses': { readonly after: string }
  /** A plan was changed: applies it to the accounts on it whose ids are above `after`. */
  plan: { readonly plan: string; readonly after: string }
}

/** A new address for an account, requested with its password. */
interface EmailWish {
  readonly userId: string
  /** Version of the account's credentials. If the password has changed since, the request is void. */
  readonly credentialVersion: number
  /** The new address. */
  readonly email: string
  /** Whether the account that has this address may be notified. */
  readonly mayNotify: boolean
}

export type MailJob =
  | { readonly kind: 'verify-email'; readonly linkId: string; readonly seed: string }
  | { readonly kind: 'address-in-use'; readonly userId: string }
  | { readonly kind: 'reset-password'; readonly linkId: string; readonly seed: string }
  | ({ readonly kind: 'confirm-old-email' } & ConfirmingMail)
  | ({ readonly kind: 'confirm-new-email' } & ConfirmingMail)
  /** A sign-in from a network or with a client that is new for the account. */
  | {
      readonly kind: 'new-device'
      readonly userId: string
      readonly at: string
      readonly ip: string
      readonly cc: string | null
      readonly client: string | null
    }
  /** A key was created, rotated or allowed more, or a pipeline was trusted. */
  | ({ readonly kind: 'key-notice'; readonly userId: string } & KeyNotice)
  /** A passkey was added, removed or refused. */
  | ({ readonly kind: 'passkey'; readonly userId: string } & PasskeyNotice)
  /** The second factors for signing in have changed. */
  | ({ readonly kind: 'second-factor'; readonly userId: string } & SecondFactorNotice)
  /** `dueAt`: when the account is deleted, ISO 8601. */
  | { readonly kind: 'account-deletion'; readonly userId: string; readonly dueAt: string }
  /** Sent to the account's previous address. */
  | {
      readonly kind: 'email-changed'
      readonly userId: string
      readonly to: string
      readonly newEmail: string
      readonly at: string
    }
  /** What owners asked to be notified of: keys that expire, and domains without updates or with other addresses. */
  | {
      readonly kind: 'keys-expiring'
      readonly userId: string
      readonly keys: readonly ExpiringKey[]
    }
  | {
      readonly kind: 'domains-silent'
      readonly userId: string
      readonly days: number
      readonly domains: readonly SilentDomain[]
    }
  | {
      readonly kind: 'addresses-changed'
      readonly userId: string
      readonly domains: readonly ChangedDomain[]
    }
  | ({ readonly kind: 'password-changed'; readonly userId: string } & PasswordChangedNotice)
  /** An event of the account's subscription. */
  | ({ readonly kind: 'payment' } & PaymentMail)
  /** An own zone works, broke, was lost or is withheld, or the addresses of its name servers changed. */
  | ({ readonly kind: 'own-zone'; readonly userId: string } & OwnZoneNotice)
  /** Notifications about monitors, by their ids. Several of them are a digest. */
  | {
      readonly kind: 'monitors'
      readonly userId: string
      readonly notificationIds: readonly string[]
    }

interface ConfirmingMail {
  readonly linkId: string
  readonly seed: string
  readonly newEmail: string
}

export type JobName = keyof JobData
