import type { MailParts } from './mail.ts'

/** Asks the present address. @param url the link, which works once and for 24 hours */
export function confirmOldEmailMail(mail: {
  to: string
  username: string
  newEmail: string
  url: string
}): MailParts {
  return {
    to: mail.to,
    subject: 'Confirm another email address',
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      `Somebody who is signed in to your account wants its email address to be ${mail.newEmail}. Open this link if it was you. It works once, for 24 hours.`,
      'The change is made when the new address has confirmed, too.',
    ],
    link: { label: 'Change my email address', url: mail.url },
    footer:
      'If it was not you, do not open the link, and change your password: whoever asked for this knows it.',
  }
}

/** Asks the new address. @param url the link, which works once and for 24 hours */
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
      'Please confirm that this is to be the email address of your account by opening this link. It works once, for 24 hours.',
      'The change is made when your present address has confirmed, too.',
    ],
    link: { label: 'Confirm my new email address', url: mail.url },
    footer:
      'You get this mail because somebody gave this address for an account. If it was not you, do nothing.',
  }
}
