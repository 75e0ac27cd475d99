import type { SecondFactorEvent, SecondFactorNotice } from '../../queue/notices.ts'
import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

interface Wording {
  readonly subject: string
  readonly happened: (at: string, left: number) => string
}

const leftOver = (left: number) =>
  left === 0
    ? 'None is left: make new ones in your settings.'
    : `${left} of them ${left === 1 ? 'is' : 'are'} left; you can make new ones in your settings.`

const WORDINGS: Readonly<Record<SecondFactorEvent, Wording>> = {
  'totp-on': {
    subject: 'Your authenticator app is asked for now',
    happened: (at) =>
      `An authenticator app was added to your account at ${at}. Signing in takes one of its codes from now on, and devices that update your names need an update token or an API key in place of your password. Whoever was signed in elsewhere has been signed out.`,
  },
  'totp-off': {
    subject: 'Your authenticator app is asked for no more',
    happened: (at) =>
      `The authenticator app was removed from your account at ${at}. Its codes mean nothing any more. Whoever was signed in elsewhere has been signed out.`,
  },
  'recovery-codes-made': {
    subject: 'You have new recovery codes',
    happened: (at) =>
      `New recovery codes were made for your account at ${at}. The old ones are worth nothing any more.`,
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    happened: (at, left) =>
      `One of your recovery codes was used at ${at}, in place of your second factor. ${leftOver(left)}`,
  },
  'second-factors-reset': {
    subject: 'Your second factors were taken away',
    happened: (at) =>
      `An administrator took away the second factors of your account at ${at}: authenticator app, passkeys and recovery codes. Signing in takes your password alone until you add a new one. Everybody who was signed in has been signed out.`,
  },
}

/** Tells somebody what signing in to their account takes now. @param url where a password is replaced */
export function secondFactorMail(
  mail: SecondFactorNotice & {
    readonly to: string
    readonly username: string
    readonly url: string
  },
): MailParts {
  const { subject, happened } = WORDINGS[mail.event]
  return {
    to: mail.to,
    subject,
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      happened(mailTime(mail.at), mail.left),
      'If it was neither you nor somebody whom you asked to, set a new password at once:',
    ],
    link: { label: 'Set a new password', url: mail.url },
    footer: 'You get this mail because of a change to how you sign in.',
  }
}
