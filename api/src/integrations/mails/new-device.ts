import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

/** Notifies a user of a sign-in that is unlike earlier ones. @param url where to reset a password */
export function newDeviceMail(mail: {
  to: string
  username: string
  at: string
  ip: string
  cc: string | null
  client: string | null
  url: string
}): MailParts {
  const country = mail.cc === null ? '' : ` (${mail.cc})`
  return {
    to: mail.to,
    subject: 'A new sign-in to your account',
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      `Somebody signed in to your account at ${mailTime(mail.at)} from a new network or with a new client:`,
      `Address: ${mail.ip}${country}`,
      `Client: ${mail.client ?? 'unknown'}`,
      'If it was not you, open this link and set a new password at once. This ends all sessions, the new one too.',
    ],
    link: { label: 'This was not me', url: mail.url },
    footer: 'If it was you, no action is needed.',
  }
}
