/** Mails about monitors: down, up again, a certificate that expires, a test, and a digest. */
import type { MonitorNotice } from '../../queue/notices.ts'
import { linesOf } from './lines.ts'
import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

interface Recipient {
  readonly to: string
  readonly username: string
  /** The page that the mail leads to. */
  readonly url: string
}

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** A length of time in its two largest units. @param seconds whole seconds */
function lengthText(seconds: number): string {
  if (seconds < MINUTE) return counted(seconds, 'second')
  const [large, small] = seconds < HOUR ? [MINUTE, 1] : seconds < DAY ? [HOUR, MINUTE] : [DAY, HOUR]
  const names: Readonly<Record<number, string>> = {
    1: 'second',
    60: 'minute',
    3600: 'hour',
    86400: 'day',
  }
  const rest = Math.floor((seconds % large) / small)
  const first = counted(Math.floor(seconds / large), names[large] ?? '')
  return rest === 0 ? first : `${first} ${counted(rest, names[small] ?? '')}`
}

const lengthBetween = (from: string, to: string) =>
  lengthText(Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000)))

/** What happened, as a line of a digest or the begin of a mail. */
function sentenceOf({ message, fqdn, at, downSince, causeText }: MonitorNotice): string {
  const time = mailTime(at)
  if (message === 'test') return `This is a test notification about ${fqdn}.`
  if (message === 'certificate') return `The certificate of ${fqdn} expires at ${time}.`
  const [state, addition] =
    message === 'down'
      ? ['down', causeText]
      : ['up again', downSince && `It was down for ${lengthBetween(downSince, at)}.`]
  const sentence = `${fqdn} has been ${state} since ${time}.`
  return addition === null ? sentence : `${sentence} ${addition}`
}

const SUBJECTS: Readonly<Record<MonitorNotice['message'], (fqdn: string) => string>> = {
  down: (fqdn) => `${fqdn} is down`,
  up: (fqdn) => `${fqdn} is up again`,
  certificate: (fqdn) => `The certificate of ${fqdn} expires soon`,
  test: (fqdn) => `Test notification for ${fqdn}`,
}

const ADVICE: Readonly<Record<MonitorNotice['message'], readonly string[]>> = {
  down: [],
  up: [],
  certificate: ['Visitors see a warning when a certificate has expired. Renew it before.'],
  test: ['Mails about this monitor arrive at this address.'],
}

const FOOTER =
  'The monitors of your domains send such mails. To change that, open the Monitor tab of the domain.'

/** A mail about one monitor. */
export function monitorMail(mail: Recipient & { readonly notice: MonitorNotice }): MailParts {
  const { notice } = mail
  return {
    to: mail.to,
    subject: SUBJECTS[notice.message](notice.fqdn),
    greeting: `Hello ${mail.username},`,
    paragraphs: [sentenceOf(notice), ...ADVICE[notice.message]],
    link: { label: 'View the monitor', url: mail.url },
    footer: FOOTER,
  }
}

const byName = (one: MonitorNotice, other: MonitorNotice) => (one.fqdn < other.fqdn ? -1 : 1)

/** One mail about many monitors. Those that are down come first. */
export function monitorDigestMail(
  mail: Recipient & { readonly notices: readonly MonitorNotice[] },
): MailParts {
  const down = mail.notices.filter(({ message }) => message === 'down').toSorted(byName)
  const others = mail.notices.filter(({ message }) => message !== 'down').toSorted(byName)
  const domains = new Set(mail.notices.map(({ fqdn }) => fqdn)).size
  const subject =
    down.length === 0
      ? `News about the monitors of ${domains} domains`
      : `${counted(down.length, 'domain')} of yours ${down.length === 1 ? 'is' : 'are'} down`
  return {
    to: mail.to,
    subject,
    greeting: `Hello ${mail.username},`,
    paragraphs: [
      'The state of many of your monitors changed at the same time:',
      ...linesOf([...down, ...others], sentenceOf),
    ],
    link: { label: 'View my domains', url: mail.url },
    footer: FOOTER,
  }
}
