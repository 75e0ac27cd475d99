import { Type, type Static } from 'typebox'
import { Id, nullable, record, Time } from '../schema.ts'

export const LockedName = record(
  'LockedName',
  {
    id: Id,
    fqdn: Type.String({ description: 'The locked name.', examples: ['home.example.net'] }),
    locked_at: Time,
    locked_by: nullable(
      Type.String({
        description:
          'User name of the administrator who set the lock; null when that account was deleted.',
      }),
    ),
    user_id: nullable(
      Type.String({
        description: 'Id of the account that last held the name; null when it was deleted.',
      }),
    ),
    username: nullable(Type.String({ description: 'User name of that account.' })),
    domain_id: nullable(
      Type.String({ description: 'Id of the domain with this name; null when there is none.' }),
    ),
  },
  'A lock that an administrator set on a name. It holds for the name and everything below it.',
)
export type LockedName = Static<typeof LockedName>
