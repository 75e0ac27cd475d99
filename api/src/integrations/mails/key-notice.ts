import type { KeyEvent, KeyNotice } from '../../queue/notices.ts'
import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

interface Wording {
  readonly subject: string
  readonly happened: (name: string, at: string) => string
  readonly mark: string
  readonly remedy: string
  /** The page where the owner sees and deletes it. */
  readonly page: { readonly label: string; readonly path: string }
}

const KEYS = { label: 'View my keys', path: '/#settings/api-keys' }
const PIPELINES = { label: 'View my trust policies', path: '/#settings/pipelines' }
const DOMAINS = { label: 'View my domains', path: '/#dashboard' }

const WORDINGS: Readonly<Record<KeyEvent, Wording>> = {
  'key-made': {
    subject: 'A new API key',
    happened: (name, at) => `An API key called “${name}” was created for your account at ${at}:`,
    mark: 'It begins with',
    remedy: 'delete the key at once and set a new password.',
    page: KEYS,
  },
  'key-rotated': {
    subject: 'An API key has a new secret',
    happened: (name, at) => `The secret of your API key “${name}” was replaced at ${at}:`,
    mark: 'It now begins with',
    remedy: 'delete the key at once, which ends both secrets, and set a new password.',
    page: KEYS,
  },
  'key-widened': {
    subject: 'An API key can do more',
    happened: (name, at) =>
      `Your API key “${name}” was changed at ${at}. It can now do more than before, or for longer:`,
    mark: 'It begins with',
    remedy: 'delete the key at once and set a new password.',
    page: KEYS,
  },
  'pipeline-trusted': {
    subject: 'A new trust policy',
    happened: (name, at) =>
      `The trust policy “${name}” was created for your account at ${at}. Its pipelines can get API keys that work for 15 minutes:`,
    mark: 'Pipelines',
    remedy:
      'delete the trust policy at once, which also ends its API keys, and set a new password.',
    page: PIPELINES,
  },
  'token-created': {
    subject: 'A new update token',
    happened: (name, at) => `An update token for ${name} was created at ${at}:`,
    mark: 'It begins with',
    remedy: 'delete the token at once and set a new password.',
    page: DOMAINS,
  },
  'token-replaced': {
    subject: 'An update token was replaced',
    happened: (name, at) =>
      `The update token of ${name} was replaced at ${at}. The old token no longer works:`,
    mark: 'The new one begins with',
    remedy: 'delete the token at once and set a new password.',
    page: DOMAINS,
  },
}

/** Notifies the owner of an account of a credential that can change domains. */
export function keyNoticeMail(
  mail: KeyNotice & {
    readonly to: string
    readonly username: string
    readonly publicUrl: URL
  },
): MailParts {
  const { subject, happened, mark, remedy, page } = WORDINGS[mail.event]
  const country = mail.cc === null ? '' : ` (${mail.cc})`
  return {
    to: mail.to,
    subject,
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      happened(mail.name, mailTime(mail.at)),
      `${mark}: ${mail.mark}`,
      `Address: ${mail.ip}${country}`,
      `Client: ${mail.client ?? 'unknown'}`,
      `If it was not you, ${remedy}`,
    ],
    link: { label: page.label, url: new URL(page.path, mail.publicUrl).href },
    footer: 'If it was you, no action is needed.',
  }
}
