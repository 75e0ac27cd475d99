import { Type, type Static } from 'typebox'
import { nullable, record } from '../schema.ts'
import { WITHHELD_REASONS } from '../vocabulary.ts'
import { DOMAIN_FIELDS } from './name-state.ts'

export const AdminDomain = record(
  'AdminDomain',
  {
    ...DOMAIN_FIELDS,
    withheld_by: Type.Array(Type.Enum([...WITHHELD_REASONS]), {
      description:
        'Why DNS does not serve the name: `locked` by an administrator, `paused` by its owner, `over_limit` of the plan, `owner_blocked`: the account is disabled. Empty while it is served.',
    }),
    base_id: nullable(Type.String({ description: 'Of a wildcard: the domain that it follows.' })),
  },
  'A domain as administrators see it, whoever owns it.',
)
export type AdminDomain = Static<typeof AdminDomain>
