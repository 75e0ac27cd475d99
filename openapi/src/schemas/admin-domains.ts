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
        'The reasons why DNS does not serve the domain: `locked`: an administrator locked it; `paused`: its owner paused it; `over_limit`: it is over the limit of the plan; `owner_blocked`: the account is disabled. Empty while DNS serves it.',
    }),
    base_id: nullable(
      Type.String({ description: 'The id of the base domain, if this is a wildcard.' }),
    ),
  },
  'A domain of any account, for administrators.',
)
export type AdminDomain = Static<typeof AdminDomain>
