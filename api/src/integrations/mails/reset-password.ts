import type { MailParts } from './mail.ts'

/** The mail with the link that sets a new password. @param url the link, which works once and for 1 hour */
export function resetPasswordMail(mail: { to: string; username: string; url: string }): MailParts {
  return {
    to: mail.to,
    subject: 'Reset your password',
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      'Somebody requested a new password for your account. Open this link to set one. It works once, for 1 hour.',
    ],
    link: { label: 'Set a new password', url: mail.url },
    footer: 'If it was not you, no action is needed: your password does not change.',
  }
}
