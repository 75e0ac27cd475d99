import { Type, type Static } from 'typebox'
import { nullable, record } from '../schema.ts'
import { DOMAIN_FIELDS, RrType } from './name-state.ts'
import { RECORD_TYPES } from '../vocabulary.ts'

/** Long enough for every name and address in every spelling; what is longer is none. */
const TEXT_LIMIT = 1024

const text = (description: string, ...examples: string[]) =>
  Type.String({ maxLength: TEXT_LIMIT, description, examples })

const ipv4 = text('An IPv4 address; null for none.', '198.51.100.7')
const ipv6 = text('An IPv6 address; null for none.', '2001:db8::7')

export const Domain = record(
  'Domain',
  {
    ...DOMAIN_FIELDS,
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
    Type.Enum(RECORD_TYPES, { description: 'Accepted, not used: a wildcard follows its base.' }),
  ),
  record_ip: Type.Optional(
    nullable(text('Accepted, not used: a wildcard follows the addresses of its base.')),
  ),
})
export type NewWildcard = Static<typeof NewWildcard>
