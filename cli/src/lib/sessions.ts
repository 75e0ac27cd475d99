/** Sessions of an account as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { Listing } from './output.ts'
import { ago } from './text.ts'

type Session = components['schemas']['Session']

export const SESSION_FIELDS = [
  'id',
  'created_at',
  'last_used_at',
  'expires_at',
  'ip',
  'cc',
  'client',
  'is_current',
] as const satisfies readonly (keyof Session)[]

export const sessionListing: Listing<Session> = {
  columns: [
    { title: 'ID', of: ({ id }) => id },
    { title: 'FROM', of: ({ ip, cc }) => [ip, cc].filter(Boolean).join(' ') },
    { title: 'CLIENT', of: ({ client }) => client ?? '', dropFirst: 2 },
    { title: 'SIGNED IN', of: ({ created_at }) => ago(created_at, Date.now()), dropFirst: 1 },
    { title: 'LAST USED', of: ({ last_used_at }) => ago(last_used_at, Date.now()) },
    { title: '', of: ({ is_current }) => (is_current ? 'this one' : '') },
  ],
  fields: ({ id, ip, client, created_at, last_used_at, is_current }) => [
    id,
    ip,
    client,
    created_at,
    last_used_at,
    is_current,
  ],
}
