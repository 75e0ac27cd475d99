/** The data of the events of the live stream. */
import { Type, type Static } from 'typebox'
import { Id, record, Time } from '../schema.ts'
import { STREAM_ENDS } from '../vocabulary.ts'

export const StreamReload = record(
  'StreamReload',
  {},
  'The client must read its lists again: the service cannot say what changed since they were read.',
)
export type StreamReload = Static<typeof StreamReload>

export const DeletedDomain = record(
  'DeletedDomain',
  { id: Id, fqdn: Type.String({ examples: ['home.example.net'] }) },
  'A domain that the account no longer has.',
)
export type DeletedDomain = Static<typeof DeletedDomain>

export const ChangedZone = record(
  'ChangedZone',
  { id: Id, zone: Type.String({ examples: ['example.com'] }) },
  'An own zone of the account.',
)
export type ChangedZone = Static<typeof ChangedZone>

export const ReceivedUpdateCall = record(
  'ReceivedUpdateCall',
  {
    domain_id: Id,
    fqdn: Type.String({ examples: ['home.example.net'] }),
    last_at: Time,
    is_refused: Type.Boolean({
      description:
        'Whether the service refused the credentials: they were invalid, or belong to another account.',
    }),
    answer: Type.String({ description: 'The response.', examples: ['good 198.51.100.7'] }),
  },
  'The newest update call for a domain.',
)
export type ReceivedUpdateCall = Static<typeof ReceivedUpdateCall>

export const StreamHeartbeat = record(
  'StreamHeartbeat',
  { at: Time },
  'A sign that the stream is up to date.',
)
export type StreamHeartbeat = Static<typeof StreamHeartbeat>

export const StreamEnd = record(
  'StreamEnd',
  { reason: Type.Enum(STREAM_ENDS) },
  `Why the service ends the stream.
- \`session-ended\`: the session of the stream ended
- \`replaced\`: the account opened more streams than it may have, and this one is the oldest
- \`stopping\`: this process stops; connect again
- \`unavailable\`: the service cannot read changes at the moment; connect again`,
)
export type StreamEnd = Static<typeof StreamEnd>
