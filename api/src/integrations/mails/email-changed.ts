import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

/** Tells the old address that the account has another one. */
export function emailChangedMail(mail: {
  to: string
  username: string
  newEmail: string
  at: string
}): MailParts {
  return {
    to: mail.to,
    subject: 'Your email address was changed',
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      `The email address of your account was changed at ${mailTime(mail.at)}. It is ${mail.newEmail} now, and this address gets no more mail of the account.`,
    ],
    footer: 'If it was not you, please write to whoever runs this service.',
  }
}
