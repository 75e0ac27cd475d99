import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

/** Tells somebody that their password is another. @param url where a forgotten one is replaced */
export function passwordChangedMail(mail: {
  to: string
  username: string
  at: string
  url: string
}): MailParts {
  return {
    to: mail.to,
    subject: 'Your password was changed',
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      `The password of your account was changed at ${mailTime(mail.at)}. Whoever was signed in elsewhere has been signed out.`,
      'If it was not you, set a new password at once:',
    ],
    link: { label: 'Set a new password', url: mail.url },
    footer: 'You get this mail because the password of your account was changed.',
  }
}
