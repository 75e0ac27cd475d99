/** Deleted domains, and how their owner restores them. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { RestorableDomain } from '../schemas/deleted-domains.ts'
import { Domain } from '../schemas/domains.ts'
import { homeDomain } from './examples.ts'

const example: RestorableDomain = {
  id: '42',
  fqdn: 'home.example.net',
  zone: 'example.net',
  record_ipv4: '198.51.100.7',
  record_ipv6: null,
  paused: false,
  note: 'Router in the attic',
  tags: ['home'],
  has_wildcard: false,
  has_update_token: true,
  records: 2,
  has_web_forward: true,
  has_monitor: false,
  created_at: '2026-05-01T12:00:00.000Z',
  deleted_at: '2026-05-12T08:30:00.000Z',
  restorable_until: '2026-06-11T08:30:00.000Z',
}

export const deletedDomains = {
  listDeletedDomains: {
    method: 'GET',
    url: '/api/domains/deleted',
    summary: 'List your deleted domains',
    description:
      'The domains that you deleted within the last 30 days. The last deleted domain is first.',
    access: 'caller',
    keyAction: 'read',
    query: listQuery({
      sort: ['deleted_at', 'fqdn', 'id'],
      filter: { q: 'a part of the domain', id: 'one id or a list of ids' },
    }),
    success: {
      status: 200,
      description: 'The deleted domains.',
      schema: Type.Array(ref(RestorableDomain)),
      example: [example],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  restoreDomain: {
    method: 'POST',
    url: '/api/domains/{id}/restore',
    summary: 'Restore a deleted domain',
    description: `Restores the domain with its id, addresses, history, note, tags, pause, wildcard, update token, records, web forward and the settings of its monitor. Possible for 30 days after the deletion. A record that your plan does not allow, or that conflicts with a newer one, is left out: the history shows it as deleted, and you can undo that later. A web forward whose target is no longer allowed is left out in the same way.
The rules of a registration apply. The call fails with \`name-taken\` or \`name-reserved\` if the name is no longer free, and with \`restore-refused\`, which names the reason, if your plan, the rules for names or the lock of an administrator do not allow the domain.`,
    access: 'caller',
    keyAction: 'create',
    params: Type.Object({ id: Id }),
    success: {
      status: 200,
      description: 'The domain. DNS serves it at once.',
      schema: ref(Domain),
      example: homeDomain,
    },
    problems: ['not-found', 'name-taken', 'name-reserved', 'restore-refused'],
  },
} as const satisfies Slice
