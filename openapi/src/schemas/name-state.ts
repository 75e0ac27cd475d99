/** Fields of domains that several components share. */
import { Type } from 'typebox'
import { Id, nullable, Time } from '../schema.ts'
import { RECORD_TYPES, WITHHELD_REASONS } from '../vocabulary.ts'

export const RrType = Type.Enum(RECORD_TYPES, {
  description: 'A for an IPv4 address, AAAA for an IPv6 address.',
})

/** The fields of a domain for users and administrators. */
export const DOMAIN_FIELDS = {
  id: Id,
  fqdn: Type.String({
    description: 'The full name of the domain.',
    examples: ['home.example.net'],
  }),
  zone: Type.String({ examples: ['example.net'] }),
  rrtype: RrType,
  record_ip: nullable(Type.String({ description: 'The address of the type `rrtype`.' })),
  record_ipv4: nullable(Type.String()),
  record_ipv6: nullable(Type.String()),
  ttl: Type.Integer({ description: 'The TTL in seconds.' }),
  is_active: Type.Boolean({ description: 'Whether DNS serves the domain.' }),
  withheld_by: Type.Array(Type.Enum([...WITHHELD_REASONS]), {
    description:
      'The reasons why DNS does not serve the domain: `locked`: an administrator locked it; `paused`: its owner paused it; `over_limit`: it is over the limit of the plan; `owner_blocked`: the account is disabled. Empty while DNS serves it.',
  }),
  monitor_enabled: Type.Boolean(),
  is_wildcard: Type.Boolean({ description: 'Whether this is the wildcard of another domain.' }),
  wildcard_enabled: Type.Boolean({ description: 'Whether this domain has a wildcard.' }),
  last_update_at: nullable(Time),
  created_at: Time,
  created_cc: nullable(Type.String({ description: 'The country of the creator (ISO 3166-1).' })),
  user_id: Id,
  username: Type.String({ description: 'The user name of the owner.' }),
}
