import { Type, type Static } from 'typebox'
import { Id, nullable, record, Time } from '../schema.ts'
import {
  BLOCKED_TARGET_SCOPES,
  type BlockedTargetScope,
  FORWARD_TEXT_LIMITS,
} from '../vocabulary.ts'

const Scope = Type.Unsafe<BlockedTargetScope>({
  type: 'string',
  enum: [...BLOCKED_TARGET_SCOPES],
  description:
    '`host`: the host. `subdomains`: the host and every name below it. `path`: the host at this path and below it. Each applies to http and https, to every port and to every query.',
})

const Reason = Type.String({
  minLength: 1,
  maxLength: FORWARD_TEXT_LIMITS.disabled_reason,
  description: 'Why the target is blocked. The owners of the forwards to it read it.',
})

export const BlockedTarget = record(
  'BlockedTarget',
  {
    id: Id,
    host: Type.String({
      description: 'In A-labels and lower case, or an IP address.',
      examples: ['evil.example'],
    }),
    scope: Scope,
    path: Type.String({
      description: 'Empty unless the scope is `path`.',
      examples: ['/login'],
    }),
    reason: Reason,
    forwards: Type.Integer({
      minimum: 0,
      description:
        'The number of forwards that it stops. Forwards that administrators disabled one by one are not counted.',
    }),
    blocked_at: Time,
    blocked_by: nullable(
      Type.String({
        description: 'The username of the administrator. Null: that account was deleted.',
      }),
    ),
  },
  'A target that no web forward can lead to. It stays when the forwards to it, their domains and their accounts are deleted.',
)
export type BlockedTarget = Static<typeof BlockedTarget>

export const NewBlockedTarget = record('NewBlockedTarget', {
  target: Type.String({
    minLength: 1,
    maxLength: FORWARD_TEXT_LIMITS.target_url,
    description: 'A host, or an http or https URL. Only `path` uses its path.',
    examples: ['https://evil.example/login'],
  }),
  scope: Scope,
  reason: Reason,
})
export type NewBlockedTarget = Static<typeof NewBlockedTarget>
