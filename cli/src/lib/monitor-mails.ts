/** Mails about monitors, as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { Listing } from './output.ts'
import { ago } from './text.ts'

type Mail = components['schemas']['MonitorNotification']

export const MAIL_FIELDS = [
  'id',
  'message',
  'channel',
  'recipient',
  'created_at',
  'outcome',
  'sent_at',
] as const satisfies readonly (keyof Mail)[]

export const mailListing: Listing<Mail> = {
  columns: [
    { title: 'WHEN', of: ({ created_at }) => ago(created_at, Date.now()) },
    { title: 'MESSAGE', of: ({ message }) => message },
    { title: 'OUTCOME', of: ({ outcome }) => outcome },
    { title: 'TO', of: ({ recipient }) => recipient ?? '–', dropFirst: 1 },
  ],
  fields: (mail) => [mail.created_at, mail.message, mail.outcome, mail.recipient, mail.sent_at],
}
