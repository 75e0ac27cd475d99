/** What each kind of job carries, and which mails the service sends. */
import type {
  KeyNotice,
  PasskeyNotice,
  PasswordChangedNotice,
  SecondFactorNotice,
} from './notices.ts'

/** What each kind of job carries. Nothing secret: these rows are kept for a day. */
export interface JobData {
  /** A new account: a link is sent to its address, or a notice to the one who has it. */
  registration: { readonly userId: string; readonly mayNotify: boolean }
  'resend-verification': { readonly email: string }
  'forgot-password': { readonly email: string }
  'change-email': EmailWish
  mail: MailJob
  'account-plan': { readonly userId: string }
  /** A lock reaches more domains than one transaction changes. */
  'name-lock': { readonly fqdn: string }
  /** A plan was changed: the accounts on it whose ids are above `after` follow. */
  plan: { readonly plan: string; readonly after: string }
}

/** Another address for an account, asked for with its password. */
interface EmailWish {
  readonly userId: string
  /** Of the account's credentials: a password that was changed meanwhile asks for nothing any more. */
  readonly credentialVersion: number
  /** The new one. */
  readonly email: string
  /** Whether its owner may be told, if it has one. */
  readonly mayNotify: boolean
}

export type MailJob =
  | { readonly kind: 'verify-email'; readonly linkId: string; readonly seed: string }
  | { readonly kind: 'address-in-use'; readonly userId: string }
  | { readonly kind: 'reset-password'; readonly linkId: string; readonly seed: string }
  | ({ readonly kind: 'confirm-old-email' } & ConfirmingMail)
  | ({ readonly kind: 'confirm-new-email' } & ConfirmingMail)
  /** Somebody signed in from where, or with what, the account does not know. */
  | {
      readonly kind: 'new-device'
      readonly userId: string
      readonly at: string
      readonly ip: string
      readonly cc: string | null
      readonly client: string | null
    }
  /** Somebody made a key, gave one another secret, or trusted a pipeline. */
  | ({ readonly kind: 'key-notice'; readonly userId: string } & KeyNotice)
  /** A passkey came, went or was refused. */
  | ({ readonly kind: 'passkey'; readonly userId: string } & PasskeyNotice)
  /** What signing in takes is another. */
  | ({ readonly kind: 'second-factor'; readonly userId: string } & SecondFactorNotice)
  /** `dueAt`: from when on the account is gone, ISO 8601. */
  | { readonly kind: 'account-deletion'; readonly userId: string; readonly dueAt: string }
  /** To the address that the account had until then. */
  | {
      readonly kind: 'email-changed'
      readonly userId: string
      readonly to: string
      readonly newEmail: string
      readonly at: string
    }
  | ({ readonly kind: 'password-changed'; readonly userId: string } & PasswordChangedNotice)

interface ConfirmingMail {
  readonly linkId: string
  readonly seed: string
  readonly newEmail: string
}

export type JobName = keyof JobData
