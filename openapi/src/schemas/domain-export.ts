import { Type, type Static } from 'typebox'
import { nullable, record, Time } from '../schema.ts'
import { EXPORT_STATES } from '../vocabulary.ts'

/** One row of the export. Its fields are the columns of the CSV file, in this order. */
export const ExportedDomain = record(
  'ExportedDomain',
  {
    domain: Type.String({ examples: ['home.example.net'] }),
    zone: Type.String({ examples: ['example.net'] }),
    ipv4: nullable(Type.String()),
    ipv6: nullable(Type.String()),
    status: Type.Enum(EXPORT_STATES, {
      description:
        '`active`: DNS serves it. `no-address`: it has no address. `withheld`: DNS does not serve it.',
    }),
    wildcard: Type.Boolean({ description: 'Whether it has a wildcard.' }),
    paused: Type.Boolean({ description: 'Whether its owner paused it.' }),
    tags: Type.String({ description: 'Its tags, separated by commas.', examples: ['home, nas'] }),
    note: nullable(Type.String()),
    ttl: Type.Integer({ description: 'The TTL in seconds.' }),
    created_at: Time,
    last_update_at: nullable(Time),
  },
  'A domain in an export.',
)
export type ExportedDomain = Static<typeof ExportedDomain>
