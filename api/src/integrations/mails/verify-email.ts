import type { MailParts } from './mail.ts'

/**
 * The mail that verifies an address. It names the account, because anybody can register one with another person's
 * address.
 *
 * @param url the link, which works once and for 24 hours
 */
export function verifyEmailMail(mail: { to: string; username: string; url: string }): MailParts {
  const { to, username, url } = mail
  return {
    to,
    subject: 'Verify your email address',
    greeting: `Hello ${username},`,
    paragraphs: [
      `The account ${username} was registered with this email address. If you registered it, verify the address by opening this link. It works once, for 24 hours. If you open it in a browser other than the one you registered with, press the button on the page.`,
    ],
    link: { label: 'Verify my email address', url },
    footer: `If you did not register the account ${username}, do not verify the address. The account cannot be used without it.`,
  }
}
