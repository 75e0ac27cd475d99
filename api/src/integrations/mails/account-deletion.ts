import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

/** Notifies a user that their account will be deleted. @param url the sign-in page; signing in keeps the account */
export function accountDeletionMail(mail: {
  to: string
  username: string
  dueAt: string
  url: string
}): MailParts {
  return {
    to: mail.to,
    subject: 'Your account will be deleted',
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      `Your account will be deleted at ${mailTime(mail.dueAt)}, with its domains and all data about you. Until then nothing changes: DNS serves your domains, and API keys and update tokens work.`,
      'To keep the account, sign in before then.',
    ],
    link: { label: 'Sign in and keep my account', url: mail.url },
    footer:
      'If you did not request this, sign in and change your password: somebody else knows it.',
  }
}
