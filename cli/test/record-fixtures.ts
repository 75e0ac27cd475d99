/** Records, own zones and vanity name servers in the form of the API. */
import type { components } from '@homing/openapi/client'
import { domain } from './fixtures.ts'
import type { Replies } from './support.ts'

type Schemas = components['schemas']

export const record = (changes: Partial<Schemas['DnsRecord']> = {}): Schemas['DnsRecord'] => ({
  id: '81',
  domain_id: '42',
  zone: 'example.net',
  owner: '_acme-challenge.home.example.net',
  type: 'TXT',
  ttl: 3600,
  values: ['"one two"'],
  is_served: true,
  created_at: '2026-05-12T08:30:00.000Z',
  version: 2,
  ...changes,
})

export const check = (
  changes: Partial<Schemas['DelegationCheck']> = {},
): Schemas['DelegationCheck'] => ({
  is_right: false,
  parent_zone: 'com',
  facts: [
    { fact: 'delegated', state: 'right', message: 'com delegates it.', expected: [], found: [] },
    {
      fact: 'names',
      state: 'wrong',
      message: 'com names ns1.example.org. Change the name servers at your registrar.',
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
  ...changes,
})

const rightFacts = check().facts.map((fact) => ({ ...fact, state: 'right' as const }))
export const RIGHT = check({ is_right: true, facts: rightFacts })

export const ownZone = (changes: Partial<Schemas['OwnZone']> = {}): Schemas['OwnZone'] => ({
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
      description: 'Set these name servers at your registrar.',
    },
  ],
  is_contested: false,
  records: 3,
  domains: 1,
  claimed_at: '2026-05-12T08:00:00.000Z',
  expires_at: '2026-06-11T08:00:00.000Z',
  active_at: null,
  withheld_at: null,
  last_check: check(),
  next_check_at: null,
  ...changes,
})

export const ACTIVE = ownZone({
  state: 'active',
  proof: 'delegation',
  tasks: [],
  expires_at: null,
  active_at: '2026-05-12T08:40:00.000Z',
  last_check: RIGHT,
})

export const vanity = (changes: Partial<Schemas['VanityStatus']> = {}): Schemas['VanityStatus'] => {
  const zone = ownZone()
  const [ns1, ns2] = zone.nameservers as [
    Schemas['NameServerAddress'],
    Schemas['NameServerAddress'],
  ]
  return {
    available: true,
    configured: true,
    verified: false,
    verification_pending: true,
    nameservers: { ns1, ns2 },
    zones_count: 0,
    message: null,
    zone,
    ...changes,
  }
}

const gone = { status: 404, code: 'not-found', detail: 'No such domain.' }

/** An account with the domain home.example.net, and without own zones. */
export const WITH_DOMAIN: Replies = {
  'GET /api/domains/fqdn/home.example.net': { body: domain() },
  'GET /api/zones': { body: [] },
}

/** An account with the own zone example.com, in which no domain is registered at its apex. */
export const WITH_ZONE: Replies = {
  'GET /api/domains/fqdn/example.com': { status: 404, body: gone },
  'GET /api/zones': { body: [ACTIVE] },
}

export const RECORDS_ONLY = 'GET /api/records/domains/home.example.net'

/** A key whose scope has an owner name below home.example.net, and not the domain. */
export const WITH_RECORDS_ONLY: Replies = {
  'GET /api/domains/fqdn/home.example.net': { status: 404, body: gone },
  'GET /api/zones': { body: [] },
  [RECORDS_ONLY]: { body: { id: '42', fqdn: 'home.example.net' } },
}
