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
      description: 'How many equal calls came one after another.',
    }),
    is_refused: Type.Boolean({
      description:
        'Whether the caller was not shown to be the owner: wrong credentials, or those of somebody else.',
    }),
    source_ip: nullable(Type.String({ examples: ['198.51.100.7'] })),
    client: nullable(Type.String({ description: 'What called, as it calls itself.' })),
    dialect: Type.String({
      description: 'The form in which it asked.',
      examples: ['dyndns2'],
    }),
    path: Type.String({ examples: ['/nic/update'] }),
    said: Type.String({
      description: 'What it asked for, without secrets.',
      examples: ['myip=198.51.100.7'],
    }),
    answer: Type.String({ description: 'What it was told.', examples: ['good 198.51.100.7'] }),
    hint: Type.Unsafe<UpdateHint | null>({
      enum: [...UPDATE_HINTS, null],
      description: 'What is worth mending, as a code; null when all is well.',
    }),
    hint_text: nullable(Type.String({ description: 'The same in a sentence.' })),
  },
  'An update call that was received for a domain.',
)
export type UpdateCall = Static<typeof UpdateCall>
