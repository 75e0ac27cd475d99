/** What the name servers answer for a domain. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { type NameServerCheck, Propagation } from '../schemas/propagation.ts'

const current: NameServerCheck = {
  server: 'ns1.example.net',
  address: '192.0.2.53',
  state: 'current',
  serial: 15,
  addresses: ['198.51.100.7'],
  has_published_addresses: true,
  round_trip_ms: 4,
  message: 'It has the newest version of the zone.',
}

const example: Propagation = {
  fqdn: 'home.example.net',
  zone: 'example.net',
  is_current: true,
  published_serial: 15,
  published_addresses: ['198.51.100.7'],
  servers: [current, { ...current, server: 'ns2.example.net', address: '203.0.113.53' }],
  message: 'Both name servers answer 198.51.100.7.',
  checked_at: '2026-05-12T08:30:00.000Z',
  duration_ms: 9,
}

export const propagation = {
  getPropagation: {
    method: 'GET',
    url: '/api/domains/{id}/propagation',
    summary: 'Check the propagation of a domain',
    description: `Asks each address of the zone's name servers for the serial of the zone and for the addresses of the domain, and compares them with what the service publishes. Takes up to five seconds while a server is behind or does not answer.
The service asks the name servers that the zone's NS records name. It does not ask resolvers, which can keep an earlier answer for the TTL of the domain.
An account can make 600 checks per hour. Concurrent calls for one domain share a check.`,
    access: 'caller',
    keyAction: 'read',
    params: Type.Object({ id: Id }),
    success: {
      status: 200,
      description: 'What the name servers answered.',
      schema: ref(Propagation),
      example,
    },
    problems: ['not-found'],
  },
} as const satisfies Slice
