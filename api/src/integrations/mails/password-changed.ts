import type { PasswordChangedNotice } from '../../queue/notices.ts'
import type { WorkingCredentials } from '@homing/openapi'
import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

const KINDS: readonly (readonly [keyof WorkingCredentials, one: string, many: string])[] = [
  ['api_keys', 'API key', 'API keys'],
  ['update_tokens', 'update token', 'update tokens'],
  ['trust_policies', 'trusted pipeline', 'trusted pipelines'],
  ['passkeys', 'passkey', 'passkeys'],
]

const LIST = new Intl.ListFormat('en')

/** `2 API keys, 1 update token, and 1 passkey`; undefined when there are no credentials. */
function listed(counts: WorkingCredentials | undefined): string | undefined {
  if (counts === undefined) return undefined
  const parts = KINDS.filter(([kind]) => counts[kind] > 0).map(
    ([kind, one, many]) => `${counts[kind]} ${counts[kind] === 1 ? one : many}`,
  )
  return parts.length === 0 ? undefined : LIST.format(parts)
}

function credentialParagraphs(notice: PasswordChangedNotice): string[] {
  const { revoked, hasSecondFactor } = notice
  const working = listed(notice.working)
  const gone = listed(revoked)
  const paragraphs: string[] = []
  if (gone !== undefined) {
    paragraphs.push(
      `These credentials were revoked and no longer work: ${gone}. Devices and pipelines that used them need new ones.`,
    )
  }
  if ((revoked?.passkeys ?? 0) > 0) {
    paragraphs.push(
      hasSecondFactor === true
        ? 'Signing in still requires a second factor: your authenticator app or a recovery code.'
        : 'From now on, signing in requires only your password.',
    )
  }
  if (working !== undefined) {
    paragraphs.push(
      `These credentials still work: ${working}. If you do not recognize all of them, set a new password and choose to revoke them at the same time.`,
    )
  }
  return paragraphs
}

/** Notifies the owner of an account that its password was changed. @param url where a new password is requested */
export function passwordChangedMail(
  mail: PasswordChangedNotice & {
    readonly to: string
    readonly username: string
    readonly url: string
  },
): MailParts {
  return {
    to: mail.to,
    subject: 'Your password was changed',
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      `The password of your account ${mail.username} was changed at ${mailTime(mail.at)}. All other sessions were signed out.`,
      ...credentialParagraphs(mail),
      'If you did not change it, set a new password at once:',
    ],
    link: { label: 'Set a new password', url: mail.url },
    footer: 'You get this mail because the password of your account was changed.',
  }
}
