import type { MailParts } from './mail.ts'

/** Asks the present address to confirm the change. @param url the link, which works once and for 24 hours */
export function confirmOldEmailMail(mail: {
  to: string
  username: string
  newEmail: string
  url: string
}): MailParts {
  return {
    to: mail.to,
    subject: 'Confirm the change of your email address',
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      `Somebody who is signed in to your account requested to change its email address to ${mail.newEmail}. If it was you, open this link. It works once, for 24 hours.`,
      'The change takes effect when the new address is confirmed too.',
    ],
    link: { label: 'Change my email address', url: mail.url },
    footer:
      'If it was not you, do not open the link, and change your password: somebody else knows it.',
  }
}

/** Asks the new address to confirm the change. @param url the link, which works once and for 24 hours */
export function confirmNewEmailMail(mail: {
  to: string
  username: string
  url: string
}): MailParts {
  return {
    to: mail.to,
    subject: 'Confirm your new email address',
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      'Please open this link to confirm this address as the new email address of your account. The link works once, for 24 hours.',
      'The change takes effect when your current address is confirmed too.',
    ],
    link: { label: 'Confirm my new email address', url: mail.url },
    footer:
      'You get this mail because somebody entered this address for an account. If it was not you, no action is needed.',
  }
}
