import { Type, type Static } from 'typebox'
import { Id, nullable, record, Time } from '../schema.ts'
import { UPDATE_HINTS, type UpdateHint } from '../vocabulary.ts'

export const UpdateCall = record(
  'UpdateCall',
  {
    id: Id,
    first_at: Time,
    last_at: Time,
    times: Type.Integer({
      minimum: 1,
      description: 'The number of consecutive equal calls.',
    }),
    is_refused: Type.Boolean({
      description:
        'Whether the service refused the credentials: they were invalid, or belong to another account.',
    }),
    source_ip: nullable(Type.String({ examples: ['198.51.100.7'] })),
    client: nullable(Type.String({ description: 'The `User-Agent` of the caller.' })),
    dialect: Type.String({
      description: 'The dialect of the call.',
      examples: ['dyndns2'],
    }),
    path: Type.String({ examples: ['/nic/update'] }),
    said: Type.String({
      description: 'The parameters of the call, without secrets.',
      examples: ['myip=198.51.100.7'],
    }),
    answer: Type.String({ description: 'The response.', examples: ['good 198.51.100.7'] }),
    hint: Type.Unsafe<UpdateHint | null>({
      enum: [...UPDATE_HINTS, null],
      description: 'A code for a problem that you should fix. Null: there is no problem.',
    }),
    hint_text: nullable(Type.String({ description: 'The text of the hint.' })),
  },
  'An update call for a domain.',
)
export type UpdateCall = Static<typeof UpdateCall>
