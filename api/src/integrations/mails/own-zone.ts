/** Mails about own zones and vanity name servers. */
import type { OwnZoneNotice } from '../../queue/notices.ts'
import { ENDED_KEPT_DAYS } from '../../rules/zone-checks.ts'
import { linesOf } from './lines.ts'
import { mailTime } from './mail-time.ts'
import type { MailParts } from './mail.ts'

type Words = Pick<MailParts, 'subject' | 'paragraphs'>
type Event = OwnZoneNotice['event']
type NoticeOf<E extends Event> = Extract<OwnZoneNotice, { readonly event: E }>

const REPAIR =
  'Correct the delegation at your registrar. The service checks again every day, and you can check at any time.'

/** What happens to a zone that the plan does not include. */
const NOTHING_DELETED =
  'Nothing is deleted: when you choose a plan that includes own zones, DNS serves the zone again.'

const WORDS: { readonly [E in Event]: (notice: NoticeOf<E>) => Words } = {
  verified: ({ zone, isVanity, incomplete = [] }) => ({
    subject: isVanity ? `Your vanity name servers work` : `Your zone ${zone} works`,
    paragraphs: [
      isVanity
        ? `Your vanity name servers ns1.${zone} and ns2.${zone} are active: the parent zone delegates ${zone} to them, and the delegation is correct.`
        : `The parent zone delegates ${zone} to this service, and the delegation is correct.`,
      ...linesOf(incomplete, (finding) => finding),
      `DNS serves your records of ${zone}. The service checks the delegation once a day.`,
    ],
  }),
  broken: ({ zone, findings }) => ({
    subject: `The delegation of ${zone} is broken`,
    paragraphs: [
      `The last two daily checks found that the delegation of ${zone} is no longer correct. Names in the zone can be unreachable.`,
      ...linesOf(findings, (finding) => finding),
      REPAIR,
    ],
  }),
  lost: ({ zone }) => ({
    subject: `Another account proved that it owns ${zone}`,
    paragraphs: [
      `Another account of this service proved that it owns ${zone}, with a record that only the owner of the domain can create. DNS no longer serves your records and domains in it.`,
      `They are kept for ${ENDED_KEPT_DAYS} days. If you still own ${zone}, claim the domain again in that time and prove it with one of the records that the service shows you. Your records and domains are then restored.`,
    ],
  }),
  'withheld-soon': ({ zone, at }) => ({
    subject: `${zone} will not be served soon`,
    paragraphs: [
      `Your plan does not include own zones. DNS serves ${zone} until ${mailTime(at)}, and not after that.`,
      NOTHING_DELETED,
    ],
  }),
  withheld: ({ zone }) => ({
    subject: `${zone} is no longer served`,
    paragraphs: [
      `Your plan does not include own zones, so DNS no longer serves ${zone}.`,
      NOTHING_DELETED,
    ],
  }),
  addresses: ({ zone, servers }) => ({
    subject: `Change the addresses of your name servers in ${zone}`,
    paragraphs: [
      `The addresses of the name servers of this service have changed. Your vanity name servers in ${zone} have these addresses now:`,
      ...linesOf(servers, ({ hostname, addresses }) => `${hostname}: ${addresses.join(', ')}`),
      'Change the glue records at your registrar to these addresses. Until then, resolvers can ask the former addresses, where nothing answers.',
    ],
  }),
}

/** Notifies the owner of an own zone. @param mail.url the page of the zones */
export function ownZoneMail(
  mail: OwnZoneNotice & { readonly to: string; readonly username: string; readonly url: string },
): MailParts {
  // Each event has its own words, which the type of all events together cannot express.
  const words = WORDS[mail.event] as (notice: OwnZoneNotice) => Words
  return {
    to: mail.to,
    greeting: `Hello ${mail.username},`,
    ...words(mail),
    link: { label: 'View my zones', url: mail.url },
    footer: 'You get this mail because you claimed a domain as an own zone.',
  }
}
