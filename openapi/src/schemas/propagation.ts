import { Type, type Static } from 'typebox'
import { nullable, record, ref, Time } from '../schema.ts'
import { PROPAGATION_STATES } from '../vocabulary.ts'

export const NameServerCheck = record(
  'NameServerCheck',
  {
    server: Type.String({
      description: 'The name of the name server, as the zone’s NS records have it.',
      examples: ['ns1.example.net'],
    }),
    address: nullable(
      Type.String({
        description: 'The address that was asked. Null: the service does not know it.',
        examples: ['198.51.100.53'],
      }),
    ),
    state: Type.Enum(PROPAGATION_STATES, {
      description:
        '`current`: the server has the newest version of the zone, and answers with the addresses that the domain publishes. `behind`: it has an older version. `different`: it has the newest version, but answers with other addresses. `not-serving`: it answers, but not for this zone. `unreachable`: it did not answer. `not-checked`: it could not be asked.',
    }),
    serial: nullable(
      Type.Integer({ description: 'The serial of its SOA record. Null: it did not send one.' }),
    ),
    addresses: Type.Array(Type.String(), {
      description: 'The addresses with which it answered for the domain.',
    }),
    has_published_addresses: nullable(
      Type.Boolean({
        description:
          'Whether these are the addresses that the domain publishes. Null: it did not answer.',
      }),
    ),
    round_trip_ms: nullable(
      Type.Integer({ description: 'How long its answer took, in milliseconds.' }),
    ),
    message: Type.String({ description: 'What was found and what to do, for people.' }),
  },
  'What one address of a name server answered.',
)
export type NameServerCheck = Static<typeof NameServerCheck>

export const Propagation = record(
  'Propagation',
  {
    fqdn: Type.String({ examples: ['home.example.net'] }),
    zone: Type.String({ examples: ['example.net'] }),
    is_current: Type.Boolean({
      description:
        'Whether every name server that could be asked is `current`, and at least one could be asked.',
    }),
    published_serial: nullable(
      Type.Integer({
        description:
          'The serial of the newest version of the zone. All domains of the zone share it. Null: DNS does not serve the zone.',
      }),
    ),
    published_addresses: Type.Array(Type.String(), {
      description: 'The addresses with which the name servers should answer.',
    }),
    servers: Type.Array(ref(NameServerCheck)),
    message: Type.String({ description: 'The result, for people.' }),
    checked_at: Time,
    duration_ms: Type.Integer(),
  },
  'What the name servers of a zone answer for a domain.',
)
export type Propagation = Static<typeof Propagation>
