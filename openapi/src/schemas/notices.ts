import { Type, type Static } from 'typebox'
import { record, Time } from '../schema.ts'
import { NOTICE_KINDS, NOTICE_SEVERITIES } from '../vocabulary.ts'

export const NoticeId = Type.String({
  pattern: '^[a-z]+(-[a-z]+){1,3}-[0-9]{1,15}$',
  description:
    'The id of a notice. It stays the same while the cause does, and differs when the cause occurs again.',
  examples: ['keys-expiring-1778574600000'],
})

export const Notice = record('Notice', {
  id: NoticeId,
  kind: Type.Enum([...NOTICE_KINDS]),
  severity: Type.Enum([...NOTICE_SEVERITIES]),
  title: Type.String({ description: 'One line.' }),
  text: Type.String({ description: 'What it means and what to do.' }),
  action: Type.Object(
    {
      label: Type.String(),
      url: Type.String({ description: 'The page of this service where it can be settled.' }),
    },
    { additionalProperties: false },
  ),
  steps: Type.Optional(
    Type.Array(
      Type.Object(
        { label: Type.String(), is_done: Type.Boolean() },
        { additionalProperties: false },
      ),
      { description: 'With `first-steps`: the steps, in their order.' },
    ),
  ),
  dismissable: Type.Boolean({
    description: 'Whether it can be hidden. Others disappear when they are settled.',
  }),
  created_at: Type.String({ ...Time, description: 'Since when it applies.' }),
})
export type Notice = Static<typeof Notice>
