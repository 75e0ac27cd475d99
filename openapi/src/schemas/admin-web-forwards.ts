import { Type, type Static } from 'typebox'
import { nullable, record, Time } from '../schema.ts'
import { FORWARD_TEXT_LIMITS } from '../vocabulary.ts'
import { webForwardFields } from './web-forwards.ts'

export const AdminWebForward = record(
  'AdminWebForward',
  {
    ...webForwardFields,
    user_id: Type.String({ description: 'The id of the owner.' }),
    username: Type.String({ description: 'The username of the owner.' }),
    is_disabled: Type.Boolean(),
    disabled_at: nullable(Time),
    disabled_by: nullable(
      Type.String({
        description:
          'The username of the administrator. Null: the forward is not disabled, or that account was deleted.',
      }),
    ),
    blocked_target_id: nullable(
      Type.String({
        description:
          'The id of the blocked target that stops it. Null: it is not disabled, or an administrator disabled this forward itself.',
      }),
    ),
  },
  'A web forward of any account, for administrators.',
)
export type AdminWebForward = Static<typeof AdminWebForward>

export const WebForwardModeration = record('WebForwardModeration', {
  is_disabled: Type.Boolean(),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: FORWARD_TEXT_LIMITS.disabled_reason,
      description: 'Why the forward is disabled. The owner reads it. Required to disable.',
    }),
  ),
})
export type WebForwardModeration = Static<typeof WebForwardModeration>
