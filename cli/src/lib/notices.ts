/** Notices of an account as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { Listing } from './output.ts'
import { ago } from './text.ts'

type Notice = components['schemas']['Notice']

export const NOTICE_FIELDS = [
  'id',
  'kind',
  'severity',
  'title',
  'text',
  'action',
  'dismissable',
  'created_at',
] as const satisfies readonly (keyof Notice)[]

export const noticeListing: Listing<Notice> = {
  columns: [
    { title: '', of: ({ severity }) => severity },
    { title: 'NOTICE', of: ({ title, text }) => [title, text] },
    { title: 'SINCE', of: ({ created_at }) => ago(created_at, Date.now()), dropFirst: 1 },
    { title: 'ID', of: ({ id }) => id },
  ],
  fields: ({ id, severity, title, text, action, dismissable, created_at }) => [
    id,
    severity,
    title,
    text,
    action.url,
    dismissable,
    created_at,
  ],
}
