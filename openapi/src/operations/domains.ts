import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { Domain, DomainChange, NewDomain, NewWildcard } from '../schemas/domains.ts'

const example: Domain = {
  id: '42',
  fqdn: 'home.example.net',
  zone: 'example.net',
  rrtype: 'A',
  record_ip: '198.51.100.7',
  record_ipv4: '198.51.100.7',
  record_ipv6: null,
  ttl: 60,
  is_active: true,
  monitor_enabled: false,
  is_wildcard: false,
  wildcard_enabled: false,
  last_update_at: '2026-05-12T08:30:00.000Z',
  created_at: '2026-05-01T12:00:00.000Z',
  created_cc: null,
  user_id: '7',
  username: 'ada',
  version: 3,
}

const byId = Type.Object({ id: Id })
const byFqdn = Type.Object({
  fqdn: Type.String({ maxLength: 1024, examples: ['home.example.net'] }),
})

const found = { status: 200, description: 'The domain.', schema: ref(Domain), example } as const
const made = {
  status: 201,
  description: 'The domain, with its URL in `Location`. DNS serves it at once.',
  schema: ref(Domain),
  example,
} as const
const gone = { status: 204, description: 'The domain is gone, and so is its wildcard.' } as const

const changed = {
  body: ref(DomainChange),
  bodyExample: { record_ip: '198.51.100.7' },
  success: { ...found, description: 'The domain as it now is. DNS serves it at once.' },
  problems: ['not-found', 'conflict', 'version-mismatch', 'address-not-allowed', 'withheld'],
} as const

const CHANGE = `An unchanged address is no error and writes nothing.
With \`If-Match\` (the \`ETag\` of the domain) a domain that somebody changed meanwhile is left alone.`

const DELETION =
  'The name stays reserved for you for 30 days, unless more than your plan holds are given back meanwhile. A name that the plan had withheld may take its place. A domain that an administrator locked cannot be deleted: `domain-locked`.'

export const domains = {
  listDomains: {
    method: 'GET',
    url: '/api/domains',
    summary: 'Your domains',
    description: 'All of them, wildcards too, when no range is asked for.',
    access: 'caller',
    keyAction: 'read',
    query: listQuery({
      sort: ['id', 'fqdn', 'zone', 'record_ip', 'last_update_at', 'created_at'],
      filter: {
        q: 'a part of the name or of an address',
        id: 'one id or a list of them',
        zone: 'the zone',
        rrtype: 'A or AAAA',
        is_active: 'true or false',
        is_wildcard: 'true or false',
      },
    }),
    success: {
      status: 200,
      description: 'The domains.',
      schema: Type.Array(ref(Domain)),
      example: [example],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  createDomain: {
    method: 'POST',
    url: '/api/domains',
    summary: 'Register a name',
    description:
      'The type is that of the address when it is not given, and A without an address. Either family can be set later. Names that are reserved, that pass themselves off as somebody else’s, or that an administrator locked cannot be registered: `name-not-allowed`. Below a locked domain of your own the answer is `domain-locked`.',
    access: 'caller',
    keyAction: 'create',
    body: ref(NewDomain),
    bodyExample: {
      fqdn: 'home.example.net',
      zone: 'example.net',
      rrtype: 'A',
      record_ip: '198.51.100.7',
    },
    success: made,
    problems: [
      'name-not-allowed',
      'address-not-allowed',
      'name-taken',
      'name-reserved',
      'domain-limit',
      'domain-locked',
    ],
  },
  getDomain: {
    method: 'GET',
    url: '/api/domains/{id}',
    summary: 'One of your domains',
    access: 'caller',
    keyAction: 'read',
    params: byId,
    success: found,
    problems: ['not-found'],
  },
  updateDomain: {
    method: 'PUT',
    url: '/api/domains/{id}',
    summary: 'Change the addresses of a domain',
    description: CHANGE,
    access: 'caller',
    keyAction: 'update',
    params: byId,
    ...changed,
  },
  deleteDomain: {
    method: 'DELETE',
    url: '/api/domains/{id}',
    summary: 'Delete a domain',
    description: DELETION,
    access: 'caller',
    keyAction: 'delete',
    params: byId,
    success: gone,
    problems: ['not-found', 'domain-locked'],
  },
  getDomainByFqdn: {
    method: 'GET',
    url: '/api/domains/fqdn/{fqdn}',
    summary: 'One of your domains, by name',
    access: 'caller',
    keyAction: 'read',
    params: byFqdn,
    success: found,
    problems: ['not-found'],
  },
  updateDomainByFqdn: {
    method: 'PUT',
    url: '/api/domains/fqdn/{fqdn}',
    summary: 'Change the addresses of a domain, by name',
    description: CHANGE,
    access: 'caller',
    keyAction: 'update',
    params: byFqdn,
    ...changed,
  },
  deleteDomainByFqdn: {
    method: 'DELETE',
    url: '/api/domains/fqdn/{fqdn}',
    summary: 'Delete a domain, by name',
    description: DELETION,
    access: 'caller',
    keyAction: 'delete',
    params: byFqdn,
    success: gone,
    problems: ['not-found', 'domain-locked'],
  },
  createWildcard: {
    method: 'POST',
    url: '/api/domains/wildcard',
    summary: 'Give a domain a wildcard',
    description:
      'The wildcard answers for every name below the domain that does not exist, with the addresses of the domain. It counts towards no limit and goes with its domain. A domain that an administrator locked cannot have one: `domain-locked`.',
    access: 'caller',
    keyAction: 'create',
    body: ref(NewWildcard),
    bodyExample: { base_fqdn: 'home.example.net' },
    success: {
      ...made,
      example: { ...example, id: '43', fqdn: '*.home.example.net', is_wildcard: true },
    },
    problems: ['not-found', 'plan-required', 'conflict', 'domain-locked', 'name-not-allowed'],
  },
} as const satisfies Slice
