/** Update calls, as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { Listing } from './output.ts'
import { ago } from './text.ts'

export type UpdateCall = components['schemas']['UpdateCall']

export const UPDATE_CALL_FIELDS = [
  'id',
  'first_at',
  'last_at',
  'times',
  'is_refused',
  'source_ip',
  'client',
  'dialect',
  'path',
  'said',
  'answer',
  'hint',
  'hint_text',
] as const satisfies readonly (keyof UpdateCall)[]

export const updateCallListing: Listing<UpdateCall> = {
  columns: [
    { title: 'WHEN', of: ({ last_at }) => ago(last_at, Date.now()) },
    { title: 'TIMES', of: ({ times }) => String(times), dropFirst: 3 },
    { title: 'SENT', of: ({ said }) => said },
    {
      title: 'ANSWER',
      of: ({ answer, hint_text }) => [answer, ...(hint_text === null ? [] : [hint_text])],
    },
    { title: 'FROM', of: ({ source_ip }) => source_ip ?? '', dropFirst: 1 },
    { title: 'CLIENT', of: ({ client }) => client ?? '', dropFirst: 2 },
  ],
  fields: (call) => [
    call.last_at,
    call.times,
    call.source_ip,
    call.client,
    call.path,
    call.said,
    call.answer,
    call.hint,
  ],
}
