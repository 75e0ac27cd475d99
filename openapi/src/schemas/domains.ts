import { Type, type Static } from 'typebox'
import { nullable, record } from '../schema.ts'
import { text } from './domain-text.ts'
import { DOMAIN_FIELDS, RrType } from './name-state.ts'
import { OWNER_TEXTS } from './owner-texts.ts'
import { PROBLEM_CODES, RECORD_TYPES } from '../vocabulary.ts'

const ipv4 = text('An IPv4 address. Null: no address.', '198.51.100.7')
const ipv6 = text('An IPv6 address. Null: no address.', '2001:db8::7')

export const Domain = record(
  'Domain',
  {
    ...DOMAIN_FIELDS,
    ...OWNER_TEXTS,
    last_update_client: nullable(
      Type.String({
        description:
          'The `User-Agent` of the caller that set the present addresses. Null: it is unknown, or the domain got no address yet.',
        examples: ['FRITZ!Box DDNS/1.0.1'],
      }),
    ),
    version: Type.Integer({ description: 'The ETag of the domain. Every change increases it.' }),
  },
  'A registered domain and its addresses.',
)
export type Domain = Static<typeof Domain>

const anyAddress = text('An address of the type `rrtype`. Null: no address.', '198.51.100.7')

export const DomainAvailability = record('DomainAvailability', {
  fqdn: Type.String(),
  zone: Type.String(),
  available: Type.Boolean({
    description:
      'Whether the domain can be registered. A domain that is registered, reserved or locked is not available.',
  }),
})
export type DomainAvailability = Static<typeof DomainAvailability>

export const DomainCheck = record(
  'DomainCheck',
  {
    fqdn: nullable(Type.String({ description: 'The full name. Null: `fqdn` is not a domain.' })),
    zone: nullable(Type.String()),
    available: Type.Boolean({ description: 'Whether your account can register the domain now.' }),
    code: Type.Optional(
      Type.Enum(PROBLEM_CODES, { description: 'The problem with which it would be refused.' }),
    ),
    detail: Type.Optional(Type.String({ description: 'The reason, for people.' })),
  },
  'Whether an account can register a domain.',
)
export type DomainCheck = Static<typeof DomainCheck>

export const NewDomain = record('NewDomain', {
  fqdn: text(
    'The full name of the domain, or its label directly below the zone. Internationalized names are stored as A-labels.',
    'home.example.net',
  ),
  zone: Type.Optional(text('One of the available zones. Default: the zone at the end of `fqdn`.')),
  rrtype: Type.Optional(RrType),
  record_ip: Type.Optional(nullable(anyAddress)),
  record_ipv4: Type.Optional(nullable(ipv4)),
  record_ipv6: Type.Optional(nullable(ipv6)),
  note: Type.Optional(OWNER_TEXTS.note),
  tags: Type.Optional(OWNER_TEXTS.tags),
})
export type NewDomain = Static<typeof NewDomain>

export const DomainChange = record(
  'DomainChange',
  {
    record_ip: Type.Optional(nullable(anyAddress)),
    record_ipv4: Type.Optional(nullable(ipv4)),
    record_ipv6: Type.Optional(nullable(ipv6)),
    paused: Type.Optional(OWNER_TEXTS.paused),
    note: Type.Optional(OWNER_TEXTS.note),
    tags: Type.Optional(OWNER_TEXTS.tags),
  },
  'An address sets its family and null removes it. Absent fields stay as they are.',
)
export type DomainChange = Static<typeof DomainChange>

export const NewWildcard = record('NewWildcard', {
  base_fqdn: text('One of your domains. It must have an address.', 'home.example.net'),
  rrtype: Type.Optional(
    Type.Enum(RECORD_TYPES, {
      description: 'Accepted but ignored: a wildcard follows its base domain.',
    }),
  ),
  record_ip: Type.Optional(
    nullable(text('Accepted but ignored: a wildcard has the addresses of its base domain.')),
  ),
})
export type NewWildcard = Static<typeof NewWildcard>
