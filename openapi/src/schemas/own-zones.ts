import { Type, type Static } from 'typebox'
import {
  DELEGATION_FACTS,
  FACT_STATES,
  OWN_ZONE_STATES,
  OWNERSHIP_PROOFS,
  type OwnershipProof,
} from '../vocabulary.ts'
import { Id, nullable, record, ref, Time } from '../schema.ts'

export const NameServerAddress = record(
  'NameServerAddress',
  {
    hostname: Type.String({ examples: ['ns1.example.com'] }),
    ip: Type.String({ description: 'The IPv4 address.', examples: ['198.51.100.53'] }),
    ipv6: nullable(Type.String({ description: 'The IPv6 address. Null: it has none.' })),
  },
  'A name server of an own zone, with the addresses for its glue records.',
)
export type NameServerAddress = Static<typeof NameServerAddress>

export const DelegationFact = record(
  'DelegationFact',
  {
    fact: Type.Enum(DELEGATION_FACTS, {
      description:
        '`delegated`: the parent zone delegates the domain. `names`: it names our name servers and no others. `glue`: it has addresses of name servers below the domain. `ipv4`, `ipv6`: these addresses are right. `authoritative`: our name servers answer for the domain with authority. `no-ds`: the parent zone has no DS record, which would make the unsigned zone bogus.',
    }),
    state: Type.Enum(FACT_STATES, {
      description:
        '`incomplete`: only of `ipv6`, IPv6 glue is missing, and the rest of the glue is right. Resolvers use IPv4 meanwhile. `unknown`: it could not be examined, or an earlier fact is wrong.',
    }),
    message: Type.String({ description: 'What was found, what was expected and what to do.' }),
    expected: Type.Array(Type.String()),
    found: Type.Array(Type.String()),
  },
  'One fact about the delegation of a domain.',
)
export type DelegationFact = Static<typeof DelegationFact>

export const ParentServerAnswer = record(
  'ParentServerAnswer',
  {
    server: Type.String({ examples: ['a.gtld-servers.net'] }),
    address: Type.String({ examples: ['192.5.6.30'] }),
    transport: Type.Unsafe<'udp' | 'tcp' | null>({
      enum: ['udp', 'tcp', null],
      description: 'Null: there was no answer.',
    }),
    outcome: Type.Enum(['delegates', 'does-not-delegate', 'lame', 'no-answer'], {
      description:
        '`lame`: the server does not answer for the parent zone. `no-answer`: it did not answer in time, or not as DNS.',
    }),
    nameservers: Type.Array(Type.String(), { description: 'The names that it delegates to.' }),
    glue: Type.Array(Type.String(), { description: 'Each address, with its name.' }),
    has_ds: Type.Boolean(),
    message: Type.String({ description: 'What the server said, for people.' }),
  },
  'The response of a parent name server.',
)
export type ParentServerAnswer = Static<typeof ParentServerAnswer>

export const DelegationCheck = record(
  'DelegationCheck',
  {
    is_right: Type.Boolean({ description: 'Whether every fact is right or incomplete.' }),
    parent_zone: nullable(Type.String({ description: 'The parent zone. Null: it was not found.' })),
    facts: Type.Array(ref(DelegationFact)),
    parent_servers: Type.Array(ref(ParentServerAnswer)),
    checked_at: Time,
    duration_ms: Type.Integer(),
  },
  'What a walk from the root of DNS found about the delegation of a domain.',
)
export type DelegationCheck = Static<typeof DelegationCheck>

export const OwnershipTask = record(
  'OwnershipTask',
  {
    method: Type.Enum(OWNERSHIP_PROOFS),
    name: Type.String({ description: 'The owner name of the record to create.' }),
    type: Type.Enum(['TXT', 'NS']),
    values: Type.Array(Type.String()),
    description: Type.String({ description: 'What to do, for people.' }),
  },
  'One way to prove that you own the domain.',
)
export type OwnershipTask = Static<typeof OwnershipTask>

/** The last check, or null. */
const lastCheck = Type.Unsafe<DelegationCheck | null>({
  anyOf: [{ $ref: 'DelegationCheck#' }, { type: 'null' }],
})

const ownZoneFields = {
  id: Id,
  zone: Type.String({ examples: ['example.com'] }),
  state: Type.Enum(OWN_ZONE_STATES, {
    description:
      '`pending`: prove that you own the domain. `active`: DNS serves your records. `withheld`: the plan does not include own zones. `lost`: another account proved that it owns the domain. `expired`: the claim was not proved in 30 days.',
  }),
  is_vanity: Type.Boolean({
    description: 'Whether its name servers are the vanity name servers of the account.',
  }),
  nameservers: Type.Array(ref(NameServerAddress), {
    description: 'The name servers to which the parent zone must delegate.',
  }),
  proof: Type.Unsafe<OwnershipProof | null>({
    enum: [...OWNERSHIP_PROOFS, null],
    description: 'How the ownership was proved. Null: it was not.',
  }),
  tasks: Type.Array(ref(OwnershipTask), {
    description:
      'The ways to prove the ownership that count now; one suffices. Empty when the zone is active.',
  }),
  is_contested: Type.Boolean({
    description: 'Whether another account claims the domain, or it was delegated before the claim.',
  }),
  records: Type.Integer({ description: 'The number of records (RRsets) of the owner.' }),
  domains: Type.Integer({ description: 'The number of domains in the zone.' }),
  claimed_at: Time,
  expires_at: nullable({
    ...Time,
    description: 'When a pending claim expires. Null: it does not.',
  }),
  active_at: nullable({ ...Time, description: 'Since when the zone is active. Null: it is not.' }),
  withheld_at: nullable({
    ...Time,
    description:
      'When the zone is or was withheld, because the plan does not include it. Null: never.',
  }),
  last_check: lastCheck,
  next_check_at: nullable({ ...Time, description: 'When the service checks next by itself.' }),
}

export const OwnZone = record(
  'OwnZone',
  ownZoneFields,
  'A domain of your own that Homing serves or will serve: the claim and its zone.',
)
export type OwnZone = Static<typeof OwnZone>

const domain = Type.String({
  minLength: 1,
  maxLength: 1024,
  description:
    'A domain that you registered at a registrar, not a subdomain of the service and not a public suffix.',
  examples: ['example.com'],
})

export const NewOwnZone = record('NewOwnZone', {
  domain,
  uses_vanity: Type.Optional(
    Type.Boolean({
      description:
        'Whether its name servers are your vanity name servers, which must be set up. Default: false, the name servers of the service.',
    }),
  ),
})
export type NewOwnZone = Static<typeof NewOwnZone>

export const ZoneDeletion = record('ZoneDeletion', {
  confirm: Type.String({
    description: 'The name of the zone, to confirm.',
    examples: ['example.com'],
  }),
})
export type ZoneDeletion = Static<typeof ZoneDeletion>

const vanityServer = Type.Object({
  hostname: Type.String({ examples: ['ns1.example.com'] }),
  ip: Type.String({ examples: ['198.51.100.53'] }),
  ipv6: nullable(Type.String()),
})
const vanityServers = Type.Object({ ns1: vanityServer, ns2: vanityServer })

export const VanityStatus = record(
  'VanityStatus',
  {
    available: Type.Boolean({ description: 'Whether the plan includes vanity name servers.' }),
    configured: Type.Boolean({ description: 'Whether a domain is set up.' }),
    verified: Type.Boolean({ description: 'Whether the name servers work.' }),
    verification_pending: Type.Boolean({ description: 'Configured, but not verified yet.' }),
    nameservers: Type.Unsafe<Static<typeof vanityServers> | null>({
      anyOf: [vanityServers, { type: 'null' }],
    }),
    zones_count: Type.Integer({
      description: 'The own zones that use the name servers, without that of the name servers.',
    }),
    message: nullable(Type.String({ description: 'Why the feature is not available.' })),
    zone: Type.Unsafe<OwnZone | null>({ anyOf: [{ $ref: 'OwnZone#' }, { type: 'null' }] }),
  },
  'The vanity name servers of the account.',
)
export type VanityStatus = Static<typeof VanityStatus>

export const VanitySetup = record('VanitySetup', { domain })
export type VanitySetup = Static<typeof VanitySetup>

export const VanityVerification = record(
  'VanityVerification',
  {
    status: Type.Enum(['verified', 'pending']),
    message: Type.String({ description: 'The result, for people.' }),
    zone: ref(OwnZone),
  },
  'The result of a verification of the vanity name servers.',
)
export type VanityVerification = Static<typeof VanityVerification>

export const AdminOwnZone = record(
  'AdminOwnZone',
  {
    ...ownZoneFields,
    user_id: Id,
    username: Type.String(),
    claim_count: Type.Integer({ description: 'The live claims of this domain, of all accounts.' }),
  },
  'A claim of a domain with its zone, for administrators.',
)
export type AdminOwnZone = Static<typeof AdminOwnZone>
