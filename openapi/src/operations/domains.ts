import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import {
  Domain,
  DomainAvailability,
  DomainChange,
  NewDomain,
  NewWildcard,
} from '../schemas/domains.ts'
import { DOMAIN_STATUS, MONITOR_STATES } from '../vocabulary.ts'
import { homeDomain as example } from './examples.ts'

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
const gone = { status: 204, description: 'The domain and its wildcard are deleted.' } as const

const changed = {
  body: ref(DomainChange),
  bodyExample: { record_ip: '198.51.100.7' },
  success: { ...found, description: 'The changed domain. DNS serves it at once.' },
  problems: ['not-found', 'conflict', 'version-mismatch', 'address-not-allowed', 'withheld'],
} as const

const CHANGE = `Changes the addresses, the note and the tags, and pauses or resumes the domain: all given fields or none. Sending an unchanged value is not an error and writes nothing.
A domain that an administrator locked cannot be paused or resumed. A wildcard follows its base domain and cannot be changed.
With \`If-Match\` (the \`ETag\` of the domain), the call fails with \`version-mismatch\` if the domain was changed in the meantime.`

const DELETION =
  'For 30 days you can restore the domain with `POST /api/domains/{id}/restore`. The name stays reserved for you for 30 days, except in your own zones, where nobody else can register a domain. If you delete more domains in that time than your plan includes, the oldest reservations end early. A domain that was withheld because of the plan can take its place. A domain that an administrator locked cannot be deleted: `domain-locked`. Nor can a domain whose web forward an administrator disabled: `forward-disabled`.'

export const domains = {
  checkDomain: {
    method: 'GET',
    url: '/api/zones/availability',
    summary: 'Check in which zones a label is available',
    description:
      'The domains are not reserved: a registration can still be refused. A network can make 600 checks per hour, together with those of usernames. With an account, `GET /api/domains/availability` also says why a domain is not available.',
    access: 'public',
    query: Type.Object({
      label: Type.String({
        minLength: 1,
        maxLength: 253,
        description: 'The label directly below the zone.',
        examples: ['home'],
      }),
    }),
    success: {
      status: 200,
      description: 'One item for each zone in which domains can be registered.',
      schema: Type.Array(ref(DomainAvailability)),
      example: [{ fqdn: 'home.example.net', zone: 'example.net', available: true }],
    },
    problems: ['name-not-allowed'],
  },
  listDomains: {
    method: 'GET',
    url: '/api/domains',
    summary: 'List your domains',
    description: 'Without `range`, the list has all domains. It includes wildcards.',
    access: 'caller',
    keyAction: 'read',
    query: listQuery({
      sort: ['id', 'fqdn', 'zone', 'record_ip', 'last_update_at', 'created_at'],
      filter: {
        q: 'a part of the domain or of an address',
        id: 'one id or a list of ids',
        zone: 'the zone',
        rrtype: 'A or AAAA',
        type: 'A or AAAA: domains that have an address of this type',
        ip: 'the beginning of an address',
        tag: 'a tag, in upper or lower case',
        note: 'a part of the note, in upper or lower case',
        status: DOMAIN_STATUS.join(', '),
        monitor: `the state of the monitor: ${MONITOR_STATES.join(', ')}; or on: turned on`,
        paused: 'true or false',
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
    summary: 'Register a domain',
    description:
      'Without `rrtype`, the record type is that of the address, or A if there is no address. You can set either address family later. Names that are reserved, that imitate another party, or that an administrator locked cannot be registered: `name-not-allowed`. Registering below a locked domain of your own fails with `domain-locked`.',
    access: 'caller',
    keyAction: 'create',
    idempotencyKey: 'replayed',
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
    summary: 'Get a domain',
    access: 'caller',
    keyAction: 'read',
    params: byId,
    success: found,
    problems: ['not-found'],
  },
  updateDomain: {
    method: 'PUT',
    url: '/api/domains/{id}',
    summary: 'Change a domain',
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
    problems: ['not-found', 'domain-locked', 'forward-disabled'],
  },
  getDomainByFqdn: {
    method: 'GET',
    url: '/api/domains/fqdn/{fqdn}',
    summary: 'Get a domain by its name',
    access: 'caller',
    keyAction: 'read',
    params: byFqdn,
    success: found,
    problems: ['not-found'],
  },
  updateDomainByFqdn: {
    method: 'PUT',
    url: '/api/domains/fqdn/{fqdn}',
    summary: 'Change a domain by its name',
    description: CHANGE,
    access: 'caller',
    keyAction: 'update',
    params: byFqdn,
    ...changed,
  },
  deleteDomainByFqdn: {
    method: 'DELETE',
    url: '/api/domains/fqdn/{fqdn}',
    summary: 'Delete a domain by its name',
    description: DELETION,
    access: 'caller',
    keyAction: 'delete',
    params: byFqdn,
    success: gone,
    problems: ['not-found', 'domain-locked', 'forward-disabled'],
  },
  createWildcard: {
    method: 'POST',
    url: '/api/domains/wildcard',
    summary: 'Create a wildcard',
    description:
      'The wildcard resolves every name below the domain that does not exist to the addresses of the domain. It does not count towards the domain limit and is deleted with its domain. You cannot create a wildcard for a domain that an administrator locked: `domain-locked`.',
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
