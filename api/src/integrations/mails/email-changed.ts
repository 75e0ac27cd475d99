import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

/** Notifies the old address that the account has a new one. */
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
      `The email address of your account was changed at ${mailTime(mail.at)}. The new address is ${mail.newEmail}. This address will no longer get mail about the account.`,
    ],
    footer: 'If it was not you, please contact the operator of this service.',
  }
}
