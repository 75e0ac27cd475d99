import type { MailParts } from './mail.ts'

/** Notifies the owner of an address that another account was registered with it. @param url the sign-in page */
export function addressInUseMail(mail: { to: string; username: string; url: string }): MailParts {
  return {
    to: mail.to,
    subject: 'You already have an account',
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      `Somebody tried to create another account with this address. The address belongs to your account ${mail.username}, so nothing was changed.`,
      'If it was you, sign in with that account.',
    ],
    link: { label: 'Sign in', url: mail.url },
    footer: 'If it was not you, no action is needed.',
  }
}
