/** Web forwards of all accounts, for administrators: list, disable and enable. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { AdminWebForward, WebForwardModeration } from '../schemas/admin-web-forwards.ts'
import { ADMIN_FORWARD_SORT, ADMIN_FORWARD_STATUS } from '../vocabulary.ts'
import { webForward } from './examples.ts'

const example: AdminWebForward = {
  ...webForward,
  disabled_reason: 'The target imitates a bank.',
  user_id: '7',
  username: 'ada',
  is_disabled: true,
  disabled_at: '2026-05-12T08:30:00.000Z',
  disabled_by: 'boss',
  blocked_target_id: null,
}

export const adminWebForwards = {
  listAllWebForwards: {
    method: 'GET',
    url: '/api/admin/web-forwards',
    summary: 'List the web forwards of all accounts',
    description: 'Without `range`, the list has 25 items; the maximum is 100.',
    access: 'administrator',
    permission: 'administration',
    query: listQuery({
      sort: ADMIN_FORWARD_SORT,
      filter: {
        q: 'a part of the domain or of the target',
        id: 'one id or a list of ids',
        user_id: 'the owner’s id or a list of ids',
        domain_id: 'the domain’s id or a list of ids',
        forwarding_type: 'redirect or stealth',
        status: ADMIN_FORWARD_STATUS.join(', '),
        blocked_target_id: 'the id of the blocked target that stops it, or a list of ids',
      },
    }),
    success: {
      status: 200,
      description: 'The web forwards.',
      schema: Type.Array(ref(AdminWebForward)),
      example: [example],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  moderateWebForward: {
    method: 'PUT',
    url: '/api/admin/web-forwards/{id}',
    summary: 'Disable or enable a web forward',
    description:
      'A disabled forward ends at once, and DNS resolves the domain to its own addresses. The owner reads the reason, and can neither change nor delete the forward. Nobody can create another forward to the same target. Disabling a disabled forward replaces the reason. A forward to a blocked target cannot be enabled (`conflict`): end the block.',
    access: 'administrator',
    permission: 'administration',
    params: Type.Object({ id: Id }),
    body: ref(WebForwardModeration),
    bodyExample: { is_disabled: true, reason: 'The target imitates a bank.' },
    success: {
      status: 200,
      description: 'The changed web forward.',
      schema: ref(AdminWebForward),
      example,
    },
    problems: ['not-found', 'conflict'],
  },
} as const satisfies Slice
