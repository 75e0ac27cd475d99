import { Type, type Static } from 'typebox'
import { nullable, record } from '../schema.ts'
import { DOMAIN_FIELDS } from './name-state.ts'

export const AdminDomain = record(
  'AdminDomain',
  {
    ...DOMAIN_FIELDS,
    base_id: nullable(
      Type.String({ description: 'The id of the base domain, if this is a wildcard.' }),
    ),
  },
  'A domain of any account, for administrators.',
)
export type AdminDomain = Static<typeof AdminDomain>
