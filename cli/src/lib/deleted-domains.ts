/** Deleted domains, as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { listOf } from './api.ts'
import type { Listing } from './output.ts'
import { ago } from './text.ts'

export type DeletedDomain = components['schemas']['RestorableDomain']

export const DELETED_FIELDS = [
  'id',
  'fqdn',
  'zone',
  'record_ipv4',
  'record_ipv6',
  'paused',
  'note',
  'tags',
  'has_wildcard',
  'has_update_token',
  'records',
  'has_web_forward',
  'has_monitor',
  'created_at',
  'deleted_at',
  'restorable_until',
] as const satisfies readonly (keyof DeletedDomain)[]

export const deletedListing: Listing<DeletedDomain> = {
  columns: [
    { title: 'DOMAIN', of: ({ fqdn }) => fqdn },
    { title: 'DELETED', of: ({ deleted_at }) => ago(deleted_at, Date.now()) },
    { title: 'RESTORABLE UNTIL', of: ({ restorable_until }) => restorable_until.slice(0, 10) },
    {
      title: 'ADDRESS',
      of: ({ record_ipv4, record_ipv6 }) =>
        [record_ipv4, record_ipv6].filter((address) => address !== null),
      dropFirst: 1,
    },
  ],
  fields: (domain) => [
    domain.fqdn,
    domain.record_ipv4,
    domain.record_ipv6,
    domain.deleted_at,
    domain.restorable_until,
  ],
}

/** The caller's deleted domains, the last deleted first. */
export async function deletedDomains(api: ApiClient, search?: string): Promise<DeletedDomain[]> {
  const filter = JSON.stringify({ ...(search !== undefined && { q: search }) })
  const answer = await api.GET('/api/domains/deleted', { params: { query: { filter } } })
  return listOf(answer, 'id', 'fqdn')
}
