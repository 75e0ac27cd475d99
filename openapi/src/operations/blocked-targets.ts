/** Targets that no web forward can lead to, for administrators: list, block and end a block. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { BlockedTarget, NewBlockedTarget } from '../schemas/blocked-targets.ts'
import { BLOCKED_TARGET_SCOPES, BLOCKED_TARGET_SORT } from '../vocabulary.ts'

const example: BlockedTarget = {
  id: '3',
  host: 'evil.example',
  scope: 'path',
  path: '/login',
  reason: 'The target imitates a bank.',
  forwards: 2,
  blocked_at: '2026-05-12T08:30:00.000Z',
  blocked_by: 'boss',
}

export const blockedTargets = {
  listBlockedTargets: {
    method: 'GET',
    url: '/api/admin/blocked-targets',
    summary: 'List blocked targets',
    description:
      'Blocks do not expire. They remain after the forwards that they stopped, and their accounts, are deleted. Without `range`, the list has 25 items; the maximum is 100.',
    access: 'administrator',
    permission: 'administration',
    query: listQuery({
      sort: BLOCKED_TARGET_SORT,
      filter: {
        q: 'a part of the host or of the path',
        id: 'one id or a list of ids',
        scope: BLOCKED_TARGET_SCOPES.join(', '),
      },
    }),
    success: {
      status: 200,
      description: 'The blocked targets.',
      schema: Type.Array(ref(BlockedTarget)),
      example: [example],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  createBlockedTarget: {
    method: 'POST',
    url: '/api/admin/blocked-targets',
    summary: 'Block a target',
    description:
      'No web forward of any account can lead to the target: forwards to it, or to a URL that redirects to it, are refused with `target-not-allowed`. Existing forwards to it are disabled with the reason: 50 at once, the others within seconds. A target that is blocked already in the same scope is refused with `conflict`.',
    access: 'administrator',
    permission: 'administration',
    stepUp: true,
    body: ref(NewBlockedTarget),
    bodyExample: {
      target: 'https://evil.example/login',
      scope: 'path',
      reason: 'The target imitates a bank.',
    },
    success: {
      status: 201,
      description: 'The target is blocked.',
      schema: ref(BlockedTarget),
      example,
    },
    problems: ['conflict'],
  },
  deleteBlockedTarget: {
    method: 'DELETE',
    url: '/api/admin/blocked-targets/{id}',
    summary: 'End the block of a target',
    description:
      'Forwards to the target can be created again. Those that it stopped start again, unless another block covers their target. Forwards that administrators disabled one by one stay disabled.',
    access: 'administrator',
    permission: 'administration',
    stepUp: true,
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'The target is not blocked any more.' },
    problems: ['not-found'],
  },
} as const satisfies Slice
