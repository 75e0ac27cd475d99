import type { SecondFactorEvent, SecondFactorNotice } from '../../queue/notices.ts'
import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

interface Wording {
  readonly subject: string
  readonly happened: (at: string, left: number) => string
}

const leftOver = (left: number) =>
  left === 0
    ? 'You have no recovery codes left. Create new ones in your settings.'
    : `You have ${left} recovery ${left === 1 ? 'code' : 'codes'} left. You can create new ones in your settings.`

const WORDINGS: Readonly<Record<SecondFactorEvent, Wording>> = {
  'totp-on': {
    subject: 'An authenticator app was added to your account',
    happened: (at) =>
      `An authenticator app was added to your account at ${at}. From now on, signing in requires one of its codes, and devices that update your domains need an update token or an API key instead of your password. All other sessions were signed out.`,
  },
  'totp-off': {
    subject: 'An authenticator app was removed from your account',
    happened: (at) =>
      `The authenticator app was removed from your account at ${at}. Its codes no longer work. All other sessions were signed out.`,
  },
  'recovery-codes-made': {
    subject: 'You have new recovery codes',
    happened: (at) =>
      `New recovery codes were created for your account at ${at}. The old codes no longer work.`,
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    happened: (at, left) =>
      `One of your recovery codes was used at ${at} instead of your second factor. ${leftOver(left)}`,
  },
  'second-factors-reset': {
    subject: 'Your second factors were removed',
    happened: (at) =>
      `An administrator removed the second factors of your account at ${at}: authenticator app, passkeys and recovery codes. Until you add a new one, signing in requires only your password. All sessions were signed out.`,
  },
}

/** Notifies a user of a change to their second factors. @param url where to reset a password */
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
      'If you did not request this, set a new password at once:',
    ],
    link: { label: 'Set a new password', url: mail.url },
    footer: 'You get this mail because the sign-in methods of your account changed.',
  }
}
