import { Type, type Static } from 'typebox'
import { Id, nullable, record, Time } from '../schema.ts'
import { OWNER_TEXTS } from './owner-texts.ts'

export const RestorableDomain = record(
  'RestorableDomain',
  {
    id: Id,
    fqdn: Type.String({ examples: ['home.example.net'] }),
    zone: Type.String({ examples: ['example.net'] }),
    record_ipv4: nullable(Type.String()),
    record_ipv6: nullable(Type.String()),
    ...OWNER_TEXTS,
    has_wildcard: Type.Boolean({ description: 'Whether its wildcard is restored with it.' }),
    has_update_token: Type.Boolean({
      description: 'Whether its update token works again when it is restored.',
    }),
    records: Type.Integer({
      description:
        'The number of its records (RRsets). They are restored with it, as far as your plan and the existing records allow.',
    }),
    has_web_forward: Type.Boolean({
      description:
        'Whether its web forward is restored with it, as far as its target is allowed now.',
    }),
    has_monitor: Type.Boolean({
      description: 'Whether the settings of its monitor are restored with it.',
    }),
    created_at: Time,
    deleted_at: Time,
    restorable_until: { ...Time, description: 'When the domain is permanently removed.' },
  },
  'A deleted domain that can be restored.',
)
export type RestorableDomain = Static<typeof RestorableDomain>
