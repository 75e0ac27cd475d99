import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

/** Tells somebody that their account will go. @param url where one signs in, which keeps it */
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
      `Your account is going to be deleted at ${mailTime(mail.dueAt)}, with its names and everything that is held about you. Until then nothing changes: your names are served, and keys and update tokens work.`,
      'To keep the account, sign in before.',
    ],
    link: { label: 'Sign in and keep my account', url: mail.url },
    footer:
      'If it was not you who asked for this, sign in and change your password: whoever asked for it knows it.',
  }
}
