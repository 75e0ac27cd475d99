import { Type, type Static } from 'typebox'
import { nullable, record, Time } from '../schema.ts'

export const NewUpdateToken = record('NewUpdateToken', {
  replace: Type.Optional(
    Type.Boolean({
      description:
        'Replaces the existing token with a new one. A router that uses the old token is refused from then on.',
    }),
  ),
})
export type NewUpdateToken = Static<typeof NewUpdateToken>

const known = {
  prefix: Type.String({
    description: 'The first characters of the token, which identify it.',
    examples: ['ut_4mTq9zX'],
  }),
  created_at: Time,
  last_used_at: nullable(Time),
  last_used_ip: nullable(Type.String({ description: 'The IP address of the last use.' })),
  last_client: nullable(Type.String({ description: 'The `User-Agent` of the last use.' })),
}

export const UpdateToken = record(
  'UpdateToken',
  known,
  'The update token of a domain, without its secret.',
)
export type UpdateToken = Static<typeof UpdateToken>

export const CreatedUpdateToken = record('CreatedUpdateToken', {
  ...known,
  token: Type.String({ description: 'The token itself. It is shown only once.' }),
})
export type CreatedUpdateToken = Static<typeof CreatedUpdateToken>
