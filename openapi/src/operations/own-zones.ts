/** Own zones: domains that users registered elsewhere and that Homing serves, and the vanity name servers in them. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import {
  AdminOwnZone,
  type DelegationCheck,
  NewOwnZone,
  OwnZone,
  VanitySetup,
  VanityStatus,
  VanityVerification,
  ZoneDeletion,
} from '../schemas/own-zones.ts'
import { ADMIN_ZONE_SORT, CLAIM_DAYS, OWN_ZONE_STATES } from '../vocabulary.ts'

const check: DelegationCheck = {
  is_right: false,
  parent_zone: 'com',
  facts: [
    {
      fact: 'delegated',
      state: 'right',
      message: 'com delegates example.com.',
      expected: [],
      found: [],
    },
    {
      fact: 'names',
      state: 'wrong',
      message:
        'com names ns1.example.org. Expected ns1.example.com and ns2.example.com. Change the name servers at your registrar.',
      expected: ['ns1.example.com', 'ns2.example.com'],
      found: ['ns1.example.org'],
    },
  ],
  parent_servers: [
    {
      server: 'a.gtld-servers.net',
      address: '192.5.6.30',
      transport: 'udp',
      outcome: 'delegates',
      nameservers: ['ns1.example.org'],
      glue: [],
      has_ds: false,
      message: 'Delegates to ns1.example.org.',
    },
  ],
  checked_at: '2026-05-12T08:30:00.000Z',
  duration_ms: 84,
}

const example: OwnZone = {
  id: '5',
  zone: 'example.com',
  state: 'pending',
  is_vanity: true,
  nameservers: [
    { hostname: 'ns1.example.com', ip: '198.51.100.53', ipv6: '2001:db8::53' },
    { hostname: 'ns2.example.com', ip: '203.0.113.53', ipv6: null },
  ],
  proof: null,
  tasks: [
    {
      method: 'delegation',
      name: 'example.com',
      type: 'NS',
      values: ['ns1.example.com.', 'ns2.example.com.'],
      description: 'Set these name servers and their addresses at your registrar.',
    },
    {
      method: 'txt',
      name: '_homing-verify.example.com',
      type: 'TXT',
      values: ['4mtq9zx0k2vwg7yphn3sb5rcaf'],
      description:
        'If example.com is in use: create this TXT record where it is hosted now, so that you can fill the zone before you change the name servers.',
    },
  ],
  is_contested: false,
  records: 0,
  domains: 0,
  claimed_at: '2026-05-12T08:00:00.000Z',
  expires_at: '2026-06-11T08:00:00.000Z',
  active_at: null,
  withheld_at: null,
  last_check: check,
  next_check_at: '2026-05-12T08:40:00.000Z',
}
const active: OwnZone = {
  ...example,
  state: 'active',
  proof: 'delegation',
  tasks: [],
  expires_at: null,
  active_at: '2026-05-12T08:40:00.000Z',
}

const byId = Type.Object({ id: Id })
const CLAIM = `The claim waits ${CLAIM_DAYS} days for the proof that you own the domain and blocks nobody else: \`tasks\` lists what counts as proof. Until then DNS answers for the domain with its SOA and NS records alone. Domains of the service, names below them, and public suffixes cannot be claimed: \`name-not-allowed\`.`

const servers = {
  ns1: { hostname: 'ns1.example.com', ip: '198.51.100.53', ipv6: '2001:db8::53' },
  ns2: { hostname: 'ns2.example.com', ip: '203.0.113.53', ipv6: null },
}
const status: VanityStatus = {
  available: true,
  configured: true,
  verified: false,
  verification_pending: true,
  nameservers: servers,
  zones_count: 0,
  message: null,
  zone: example,
}

export const ownZones = {
  listOwnZones: {
    method: 'GET',
    url: '/api/zones',
    summary: 'List your own zones',
    description: 'Claims and zones, by name. Lost and expired ones are listed for 30 days.',
    access: 'caller',
    keyAction: 'read',
    success: {
      status: 200,
      description: 'The own zones.',
      schema: Type.Array(ref(OwnZone)),
      example: [example],
    },
  },
  createOwnZone: {
    method: 'POST',
    url: '/api/zones',
    summary: 'Claim a domain as an own zone',
    description: `${CLAIM} To use the domain for vanity name servers: \`POST /api/vanity-ns/setup\`.`,
    access: 'session',
    idempotencyKey: 'replayed',
    body: ref(NewOwnZone),
    bodyExample: { domain: 'example.com' },
    success: { status: 201, description: 'The claim.', schema: ref(OwnZone), example },
    problems: ['plan-required', 'name-not-allowed', 'conflict', 'zone-limit'],
  },
  getOwnZone: {
    method: 'GET',
    url: '/api/zones/{id}',
    summary: 'Get an own zone',
    access: 'caller',
    keyAction: 'read',
    params: byId,
    success: { status: 200, description: 'The own zone.', schema: ref(OwnZone), example },
    problems: ['not-found'],
  },
  verifyOwnZone: {
    method: 'POST',
    url: '/api/zones/{id}/verify',
    summary: 'Check the delegation and the proof of ownership now',
    description:
      'Walks from the root servers to the parent zone, asks each of its servers, and looks for the proofs. An account can make 30 checks per hour. The service checks by itself, too: `next_check_at`. A lost or expired zone must be claimed again: `conflict`.',
    access: 'session',
    params: byId,
    success: {
      status: 200,
      description: 'The checked zone.',
      schema: ref(OwnZone),
      example: active,
    },
    problems: ['not-found', 'plan-required', 'conflict'],
  },
  deleteOwnZone: {
    method: 'DELETE',
    url: '/api/zones/{id}',
    summary: 'Delete an own zone',
    description:
      'Deletes the zone with its records and domains. `confirm` must be its name. The zone of vanity name servers that other zones use cannot be deleted: `conflict`. A zone with a domain that an administrator locked cannot be deleted: `domain-locked`.',
    access: 'session',
    stepUp: true,
    params: byId,
    body: ref(ZoneDeletion),
    bodyExample: { confirm: 'example.com' },
    success: { status: 204, description: 'The zone is deleted.' },
    problems: ['not-found', 'conflict', 'domain-locked', 'forward-disabled'],
  },
  getVanityStatus: {
    method: 'GET',
    url: '/api/vanity-ns/status',
    summary: 'Get the state of your vanity name servers',
    access: 'session',
    success: {
      status: 200,
      description: 'The state. `available` is false if the plan does not include the feature.',
      schema: ref(VanityStatus),
      example: status,
    },
  },
  setUpVanity: {
    method: 'POST',
    url: '/api/vanity-ns/setup',
    summary: 'Set up vanity name servers',
    description: `Claims the domain and makes its zone with the name servers \`ns1\` and \`ns2\` in it. ${CLAIM} The response has the glue records for the registrar. With the domain that is set up already, the call changes nothing; with another one, it fails with \`conflict\`.`,
    access: 'session',
    idempotencyKey: 'replayed',
    body: ref(VanitySetup),
    bodyExample: { domain: 'example.com' },
    success: {
      status: 200,
      description: 'The name servers to enter at the registrar.',
      schema: ref(VanityStatus),
      example: status,
    },
    problems: ['plan-required', 'name-not-allowed', 'conflict', 'zone-limit'],
  },
  verifyVanity: {
    method: 'POST',
    url: '/api/vanity-ns/verify',
    summary: 'Verify your vanity name servers now',
    description:
      'As `POST /api/zones/{id}/verify`, for the zone of the name servers. A check that fails is not an error: `status` is `pending`.',
    access: 'session',
    success: {
      status: 200,
      description: 'What the check found.',
      schema: ref(VanityVerification),
      example: {
        status: 'verified',
        message: 'Verification successful! Your vanity nameservers are now active.',
        zone: active,
      },
    },
    problems: ['not-found', 'plan-required'],
  },
  removeVanity: {
    method: 'DELETE',
    url: '/api/vanity-ns',
    summary: 'Remove your vanity name servers',
    description:
      'The zone stays an own zone with the name servers of the service. While other zones use the vanity name servers (`zones_count`), the call fails with `conflict`.',
    access: 'session',
    stepUp: true,
    success: { status: 204, description: 'The vanity name servers are removed.' },
    problems: ['not-found', 'conflict'],
  },
  listAllOwnZones: {
    method: 'GET',
    url: '/api/admin/zones',
    summary: 'List the own zones and claims of all accounts',
    description: 'Without `range`, the list has 25 items; the maximum is 100.',
    access: 'administrator',
    permission: 'administration',
    query: listQuery({
      sort: ADMIN_ZONE_SORT,
      filter: {
        q: 'a part of the zone or of the username',
        id: 'one id or a list of ids',
        state: OWN_ZONE_STATES.join(', '),
        user_id: 'the id of an account',
        is_vanity: 'true or false',
      },
    }),
    success: {
      status: 200,
      description: 'The claims and zones.',
      schema: Type.Array(ref(AdminOwnZone)),
      example: [{ ...example, user_id: '7', username: 'ada', claim_count: 1 }],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
} as const satisfies Slice
