/** Domains of all accounts, for administrators: list, lock and unlock. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { AdminDomain } from '../schemas/admin-domains.ts'
import { ADMIN_DOMAIN_SORT, ADMIN_DOMAIN_STATUS } from '../vocabulary.ts'

const example: AdminDomain = {
  id: '42',
  fqdn: 'home.example.net',
  zone: 'example.net',
  rrtype: 'A',
  record_ip: '198.51.100.7',
  record_ipv4: '198.51.100.7',
  record_ipv6: null,
  is_forwarded: false,
  published_ipv4: [],
  published_ipv6: [],
  ttl: 60,
  is_active: false,
  withheld_by: ['locked'],
  monitor_enabled: false,
  monitor_kind: null,
  monitor_port: null,
  monitor_state: null,
  is_wildcard: false,
  wildcard_enabled: false,
  base_id: null,
  last_update_at: '2026-05-12T08:30:00.000Z',
  created_at: '2026-05-01T12:00:00.000Z',
  created_cc: null,
  user_id: '7',
  username: 'ada',
}

const byId = Type.Object({ id: Id })
const found = {
  status: 200,
  description: 'The domain.',
  schema: ref(AdminDomain),
  example,
} as const
const changed = {
  access: 'administrator',
  permission: 'administration',
  params: byId,
  success: { ...found, description: 'The changed domain. DNS applies the change at once.' },
  problems: ['not-found', 'conflict'],
} as const

export const adminDomains = {
  listAllDomains: {
    method: 'GET',
    url: '/api/admin/domains',
    summary: 'List the domains of all accounts',
    description:
      'Without `range`, the list has 25 items; the maximum is 100. The list includes wildcards.',
    access: 'administrator',
    permission: 'administration',
    query: Type.Object({
      ...listQuery({
        sort: ADMIN_DOMAIN_SORT,
        filter: {
          q: 'a part of the domain or of an address',
          id: 'one id or a list of ids',
          user_id: 'the owner’s id or a list of ids',
          zone: 'the zone',
          rrtype: 'A or AAAA',
          status: ADMIN_DOMAIN_STATUS.join(', '),
          is_wildcard: 'true or false',
        },
      }).properties,
      user_id: Type.Optional({ ...Id, description: 'The owner’s id, as in the filter.' }),
    }),
    success: {
      status: 200,
      description: 'The domains.',
      schema: Type.Array(ref(AdminDomain)),
      example: [example],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  getAnyDomain: {
    method: 'GET',
    url: '/api/admin/domains/{id}',
    summary: 'Get a domain of any account',
    access: 'administrator',
    permission: 'administration',
    params: byId,
    success: found,
    problems: ['not-found'],
  },
  lockDomain: {
    method: 'POST',
    url: '/api/admin/domains/{id}/lock',
    summary: 'Lock a domain',
    description:
      'DNS stops serving the domain, its wildcard and the domains below it at once, and updates are refused. Nothing is deleted. The owner cannot delete a locked domain, and nobody can register the name or a name below it until an administrator clears the lock (`/api/admin/locked-names`). Locking a locked domain changes nothing. A wildcard cannot be locked on its own: lock its base domain.',
    ...changed,
  },
  unlockDomain: {
    method: 'POST',
    url: '/api/admin/domains/{id}/unlock',
    summary: 'Unlock a domain',
    description:
      'DNS serves the domain, its wildcard and the domains below it again, unless they are withheld for another reason. Unlocking a domain that is not locked changes nothing. A domain below another locked name cannot be unlocked on its own (`conflict`): unlock that name.',
    ...changed,
  },
} as const satisfies Slice
