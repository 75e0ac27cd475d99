import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

/** What became of a key, or of what gives keys to pipelines. */
export type KeyEvent = 'key-made' | 'key-rotated' | 'pipeline-trusted'

interface Wording {
  readonly subject: string
  readonly happened: (name: string, at: string) => string
  readonly mark: string
  readonly remedy: string
}

const WORDINGS: Readonly<Record<KeyEvent, Wording>> = {
  'key-made': {
    subject: 'A new API key',
    happened: (name, at) => `An API key called “${name}” was made for your account at ${at}:`,
    mark: 'It begins with',
    remedy: 'delete the key at once, which ends it, and set a new password.',
  },
  'key-rotated': {
    subject: 'An API key was given another secret',
    happened: (name, at) => `Your API key “${name}” was given another secret at ${at}:`,
    mark: 'It now begins with',
    remedy: 'delete the key at once, which ends both secrets, and set a new password.',
  },
  'pipeline-trusted': {
    subject: 'A pipeline is trusted',
    happened: (name, at) =>
      `Your account trusts the pipelines of “${name}” since ${at}. They get API keys for 15 minutes:`,
    mark: 'Whose they are',
    remedy:
      'delete the trust policy at once, which ends the keys that it gave, and set a new password.',
  },
}

/** What the mail tells, and what the job that sends it carries. */
export interface KeyNotice {
  readonly event: KeyEvent
  /** What the owner calls it. */
  readonly name: string
  /** How the key begins, or which pipelines are meant. */
  readonly mark: string
  /** When, ISO 8601. */
  readonly at: string
  readonly ip: string
  readonly cc: string | null
  readonly client: string | null
}

/** Tells somebody of a key that can change their names. @param url where keys are listed */
export function keyNoticeMail(
  mail: KeyNotice & { readonly to: string; readonly username: string; readonly url: string },
): MailParts {
  const { subject, happened, mark, remedy } = WORDINGS[mail.event]
  const country = mail.cc === null ? '' : ` (${mail.cc})`
  return {
    to: mail.to,
    subject,
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      happened(mail.name, mailTime(mail.at)),
      `${mark}: ${mail.mark}`,
      `Address: ${mail.ip}${country}`,
      `Client: ${mail.client ?? 'not told'}`,
      `If it was not you, ${remedy}`,
    ],
    link: { label: 'See my keys', url: mail.url },
    footer: 'If it was you, you need not do anything.',
  }
}
