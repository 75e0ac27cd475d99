import { Type, type Static } from 'typebox'
import { nullable, record, Time } from '../schema.ts'

export const NewUpdateToken = record('NewUpdateToken', {
  replace: Type.Optional(
    Type.Boolean({
      description:
        'Ends the token that there is and makes another. A router that uses the old one is refused from then on.',
    }),
  ),
})
export type NewUpdateToken = Static<typeof NewUpdateToken>

const known = {
  prefix: Type.String({
    description: 'How the token begins, to know it again.',
    examples: ['ut_4mTq9zX'],
  }),
  created_at: Time,
  last_used_at: nullable(Time),
  last_used_ip: nullable(Type.String({ description: 'From where it was last used.' })),
  last_client: nullable(
    Type.String({ description: 'With what it was last used, as that calls itself.' }),
  ),
}

export const UpdateToken = record(
  'UpdateToken',
  known,
  'The update token of a domain, without what makes it secret.',
)
export type UpdateToken = Static<typeof UpdateToken>

export const CreatedUpdateToken = record('CreatedUpdateToken', {
  ...known,
  token: Type.String({ description: 'The token itself. It is shown this once.' }),
})
export type CreatedUpdateToken = Static<typeof CreatedUpdateToken>
