import type { MailParts } from './mail.ts'

/** The mail that proves an address. @param url the link, which works once and for 24 hours */
export function verifyEmailMail(mail: { to: string; username: string; url: string }): MailParts {
  return {
    to: mail.to,
    subject: 'Verify your email address',
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      'Please verify your email address by opening this link. It works once, for 24 hours.',
    ],
    link: { label: 'Verify my email address', url: mail.url },
    footer:
      'You get this mail because somebody opened an account with this address. If it was not you, do nothing: the account cannot be used.',
  }
}
