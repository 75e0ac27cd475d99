import { Type, type Static } from 'typebox'
import { Id, nullable, record, Time } from '../schema.ts'
import { RrType } from './name-state.ts'

/** Long enough for every name and address in every spelling; what is longer is none. */
const TEXT_LIMIT = 1024

const text = (description: string, ...examples: string[]) =>
  Type.String({ maxLength: TEXT_LIMIT, description, examples })

const ipv4 = text('An IPv4 address; null for none.', '198.51.100.7')
const ipv6 = text('An IPv6 address; null for none.', '2001:db8::7')

export const Domain = record(
  'Domain',
  {
    id: Id,
    fqdn: Type.String({ description: 'The whole name.', examples: ['home.example.net'] }),
    zone: Type.String({ examples: ['example.net'] }),
    rrtype: RrType,
    record_ip: nullable(Type.String({ description: 'The address of the type `rrtype`.' })),
    record_ipv4: nullable(Type.String()),
    record_ipv6: nullable(Type.String()),
    ttl: Type.Integer({ description: 'Seconds for which resolvers may keep the address.' }),
    is_active: Type.Boolean({ description: 'Whether DNS serves the name.' }),
    monitor_enabled: Type.Boolean(),
    is_wildcard: Type.Boolean({ description: 'Whether this is the wildcard of another domain.' }),
    wildcard_enabled: Type.Boolean({ description: 'Whether this domain has a wildcard.' }),
    last_update_at: nullable(Time),
    created_at: Time,
    created_cc: nullable(Type.String({ description: 'Country of the creator, ISO 3166-1.' })),
    user_id: Id,
    username: Type.String(),
    version: Type.Integer({ description: 'Raised by every change; the ETag of the domain.' }),
  },
  'A name that somebody registered, and its addresses.',
)
export type Domain = Static<typeof Domain>

const anyAddress = text('An address of the type `rrtype`; null for none.', '198.51.100.7')

export const NewDomain = record('NewDomain', {
  fqdn: text(
    'The whole name, or the label directly below the zone. Names in other scripts are kept as A-labels.',
    'home.example.net',
  ),
  zone: Type.Optional(text('One of the available zones. Found from the name when absent.')),
  rrtype: Type.Optional(RrType),
  record_ip: Type.Optional(nullable(anyAddress)),
  record_ipv4: Type.Optional(nullable(ipv4)),
  record_ipv6: Type.Optional(nullable(ipv6)),
})
export type NewDomain = Static<typeof NewDomain>

export const DomainChange = record(
  'DomainChange',
  {
    record_ip: Type.Optional(nullable(anyAddress)),
    record_ipv4: Type.Optional(nullable(ipv4)),
    record_ipv6: Type.Optional(nullable(ipv6)),
  },
  'An address sets its family, null withdraws it, a family that is not mentioned is kept.',
)
export type DomainChange = Static<typeof DomainChange>

export const NewWildcard = record('NewWildcard', {
  base_fqdn: text('The name of a domain of yours that has an address.', 'home.example.net'),
  rrtype: Type.Optional(
    Type.Enum(['A', 'AAAA'], { description: 'Accepted, not used: a wildcard follows its base.' }),
  ),
  record_ip: Type.Optional(
    nullable(text('Accepted, not used: a wildcard follows the addresses of its base.')),
  ),
})
export type NewWildcard = Static<typeof NewWildcard>
