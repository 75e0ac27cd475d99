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
          'The username of the administrator who set the lock. Null: that account was deleted.',
      }),
    ),
    user_id: nullable(
      Type.String({
        description:
          'The id of the account that last had the name. Null: that account was deleted.',
      }),
    ),
    username: nullable(Type.String({ description: 'The username of that account.' })),
    domain_id: nullable(
      Type.String({
        description: 'The id of the domain with this name. Null: the domain does not exist.',
      }),
    ),
  },
  'A lock that an administrator set on a name. It applies to the name and everything below it.',
)
export type LockedName = Static<typeof LockedName>
