import type { PasskeyEvent, PasskeyNotice } from '../../queue/notices.ts'
import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

interface Wording {
  readonly subject: string
  readonly happened: (name: string, at: string) => string
  readonly remedy: string
}

const WORDINGS: Readonly<Record<PasskeyEvent, Wording>> = {
  added: {
    subject: 'A passkey was added to your account',
    happened: (name, at) =>
      `The passkey “${name}” was added to your account at ${at}. You can sign in with it. From now on, signing in with your password requires a second factor. Devices that update your domains need an update token or an API key instead of your password. All other sessions were signed out.`,
    remedy: 'If it was not you, remove it in your settings at once, and set a new password:',
  },
  removed: {
    subject: 'A passkey was removed from your account',
    happened: (name, at) =>
      `The passkey “${name}” was removed from your account at ${at}. It no longer works. All other sessions were signed out.`,
    remedy: 'If it was not you, set a new password at once:',
  },
  copied: {
    subject: 'A passkey of your account was refused',
    happened: (name, at) =>
      `Somebody used the passkey “${name}” at ${at}. Its signature was correct, but its signature counter was lower than before, so a copy of the passkey may exist. The service refused it.`,
    remedy:
      'Use another sign-in method and remove the passkey in your settings. If it was not you, also set a new password:',
  },
}

/** Notifies a user of a change to their passkeys. @param url where to reset a password */
export function passkeyNoticeMail(
  mail: PasskeyNotice & { readonly to: string; readonly username: string; readonly url: string },
): MailParts {
  const { subject, happened, remedy } = WORDINGS[mail.event]
  return {
    to: mail.to,
    subject,
    greeting: `Hello ${mail.username},`,
    paragraphs: [happened(mail.name, mailTime(mail.at)), remedy],
    link: { label: 'Set a new password', url: mail.url },
    footer: 'You get this mail because the sign-in methods of your account changed.',
  }
}
