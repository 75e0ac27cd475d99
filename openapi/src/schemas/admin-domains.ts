import { Type, type Static } from 'typebox'
import { Id, nullable, record, Time } from '../schema.ts'
import { RrType, WITHHELD_REASONS } from './name-state.ts'

export const AdminDomain = record(
  'AdminDomain',
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
    withheld_by: Type.Array(Type.Enum([...WITHHELD_REASONS]), {
      description:
        'Why DNS does not serve the name: `locked` by an administrator, `paused` by its owner, `over_limit` of the plan, `owner_blocked`: the account is disabled. Empty while it is served.',
    }),
    monitor_enabled: Type.Boolean(),
    is_wildcard: Type.Boolean({ description: 'Whether this is the wildcard of another domain.' }),
    wildcard_enabled: Type.Boolean({ description: 'Whether this domain has a wildcard.' }),
    base_id: nullable(Type.String({ description: 'Of a wildcard: the domain that it follows.' })),
    last_update_at: nullable(Time),
    created_at: Time,
    created_cc: nullable(Type.String({ description: 'Country of the creator, ISO 3166-1.' })),
    user_id: Id,
    username: Type.String({ description: 'The user name of the owner.' }),
  },
  'A domain as administrators see it, whoever owns it.',
)
export type AdminDomain = Static<typeof AdminDomain>
