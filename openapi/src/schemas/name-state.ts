/** What several components say of a name. */
import { Type } from 'typebox'
import { Id, nullable, Time } from '../schema.ts'
import { RECORD_TYPES } from '../vocabulary.ts'

export const RrType = Type.Enum(RECORD_TYPES, {
  description: 'A for an IPv4 address, AAAA for an IPv6 address.',
})

/** What everybody who sees a domain sees of it. */
export const DOMAIN_FIELDS = {
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
  username: Type.String({ description: 'The user name of the owner.' }),
}
