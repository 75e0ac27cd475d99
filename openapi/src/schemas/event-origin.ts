import { Type } from 'typebox'
import { Id, nullable } from '../schema.ts'
import { DOMAIN_ACTORS } from '../vocabulary.ts'

/** Who caused an event, and from where. */
export const originFields = {
  actor: Type.Enum(DOMAIN_ACTORS, {
    description:
      'Who did it, or with which credential: `session`: the signed-in owner; `password`: an update client with the password of the account; `pipeline`: a trusted pipeline.',
  }),
  actor_name: nullable(
    Type.String({
      description:
        'The name of the API key or of the trusted pipeline. Null: it was deleted, or the actor is another one.',
    }),
  ),
  source_ip: nullable(
    Type.String({
      description: 'The address of the caller. Null: an administrator, the service, or unknown.',
    }),
  ),
  source_cc: nullable(
    Type.String({ description: 'The country of `source_ip` (ISO 3166-1), as known today.' }),
  ),
  client: nullable(Type.String({ description: 'The `User-Agent` of the caller.' })),
}

export const undoes = nullable({ ...Id, description: 'The id of the event that this one undid.' })
