/** Mails that owners requested in their notification settings. */
import type { ChangedDomain, ExpiringKey, SilentDomain } from '../../queue/notices.ts'
import { linesOf } from './lines.ts'
import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

interface Recipient {
  readonly to: string
  readonly username: string
  /** The page that the mail leads to. */
  readonly url: string
}

const FOOTER =
  'Your notification settings include such mails. To change that, open the notifications in the settings of your account.'

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

/** Notifies the owner of keys that expire soon. */
export function keysExpiringMail(
  mail: Recipient & { readonly keys: readonly ExpiringKey[] },
): MailParts {
  const { keys } = mail
  return {
    to: mail.to,
    subject: plural(keys.length, 'An API key expires soon', `${keys.length} API keys expire soon`),
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      plural(keys.length, 'This API key expires soon:', 'These API keys expire soon:'),
      ...linesOf(
        keys,
        ({ name, mark, endsAt, endsUnused = false }) =>
          `“${name}” (${mark}…) expires at ${mailTime(endsAt)}${endsUnused ? ' unless it is used before' : ''}.`,
      ),
      'Programs that use an expired key are refused. To keep a key, change its expiry.',
    ],
    link: { label: 'View my keys', url: mail.url },
    footer: FOOTER,
  }
}

const silenceOf = ({ fqdn, lastAt, isUpdated = true }: SilentDomain) =>
  isUpdated
    ? `${fqdn}: the last update was at ${mailTime(lastAt)}.`
    : `${fqdn}: it was registered at ${mailTime(lastAt)} and never got an update.`

/** Tells the owner of domains that got no update. */
export function domainsSilentMail(
  mail: Recipient & { readonly days: number; readonly domains: readonly SilentDomain[] },
): MailParts {
  const { domains, days } = mail
  const time = plural(days, 'a day', `${days} days`)
  const [first] = domains
  return {
    to: mail.to,
    subject:
      domains.length === 1 && first !== undefined
        ? `No update for ${first.fqdn}`
        : `No update for ${domains.length} domains`,
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      plural(
        domains.length,
        `This domain got no update for ${time} or longer:`,
        `These domains got no update for ${time} or longer:`,
      ),
      ...linesOf(domains, silenceOf),
      'DNS still answers with the last address of a domain. If the address can change, check the router or the program that updates the domain.',
    ],
    link: { label: 'View my domains', url: mail.url },
    footer: FOOTER,
  }
}

const listed = (addresses: readonly string[]) =>
  addresses.length === 0 ? 'no address' : addresses.join(' and ')

/** Notifies the owner of domains whose addresses changed. */
export function addressesChangedMail(
  mail: Recipient & { readonly domains: readonly ChangedDomain[] },
): MailParts {
  const { domains } = mail
  const [first] = domains
  return {
    to: mail.to,
    subject:
      domains.length === 1 && first !== undefined
        ? `The address of ${first.fqdn} changed`
        : `The addresses of ${domains.length} domains changed`,
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      plural(
        domains.length,
        'The addresses of this domain changed:',
        'The addresses of these domains changed:',
      ),
      ...linesOf(
        domains,
        ({ fqdn, before, after }) => `${fqdn}: ${listed(after)}. Before: ${listed(before)}.`,
      ),
    ],
    link: { label: 'View my domains', url: mail.url },
    footer: FOOTER,
  }
}
