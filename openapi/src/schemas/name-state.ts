/** Fields of domains that several components share. */
import { Type } from 'typebox'
import { Id, nullable, Time } from '../schema.ts'
import {
  MONITOR_KINDS,
  MONITOR_STATES,
  type MonitorKind,
  type MonitorState,
  RECORD_TYPES,
  WITHHELD_REASONS,
} from '../vocabulary.ts'

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
  record_ip: nullable(Type.String({ description: 'The stored address of the type `rrtype`.' })),
  record_ipv4: nullable(
    Type.String({ description: 'The stored IPv4 address: what the last update set.' }),
  ),
  record_ipv6: nullable(
    Type.String({ description: 'The stored IPv6 address: what the last update set.' }),
  ),
  is_forwarded: Type.Boolean({
    description:
      'Whether a web forward is in force for the domain. DNS then publishes the addresses of the forwarding servers instead of the stored ones.',
  }),
  published_ipv4: Type.Array(Type.String(), {
    description:
      'The IPv4 addresses that DNS publishes. Empty: none, for example because DNS does not serve the domain.',
    examples: [['198.51.100.7']],
  }),
  published_ipv6: Type.Array(Type.String(), {
    description: 'The IPv6 addresses that DNS publishes.',
    examples: [[]],
  }),
  ttl: Type.Integer({ description: 'The TTL in seconds.' }),
  is_active: Type.Boolean({ description: 'Whether DNS serves the domain.' }),
  withheld_by: Type.Array(Type.Enum([...WITHHELD_REASONS]), {
    description:
      'The reasons why DNS does not serve the domain: `locked`: an administrator locked it; `paused`: its owner paused it; `over_limit`: it is over the limit of the plan; `owner_blocked`: the account is disabled. Empty while DNS serves it.',
  }),
  monitor_enabled: Type.Boolean({ description: 'Whether its owner turned the monitor on.' }),
  monitor_kind: Type.Unsafe<MonitorKind | null>({
    enum: [...MONITOR_KINDS, null],
    description: 'What the monitor does. Null: nothing was found or chosen yet.',
  }),
  monitor_port: nullable(
    Type.Integer({ description: 'The port of the monitor. Null: the default port of its kind.' }),
  ),
  monitor_state: Type.Unsafe<MonitorState | null>({
    enum: [...MONITOR_STATES, null],
    description: 'The state of the monitor. Null: the domain was never monitored.',
  }),
  is_wildcard: Type.Boolean({ description: 'Whether this is the wildcard of another domain.' }),
  wildcard_enabled: Type.Boolean({ description: 'Whether this domain has a wildcard.' }),
  last_update_at: nullable(Time),
  created_at: Time,
  created_cc: nullable(Type.String({ description: 'The country of the creator (ISO 3166-1).' })),
  user_id: Id,
  username: Type.String({ description: 'The username of the owner.' }),
}
