/** Locks on names, as administrators see and clear them. They are set by locking a domain. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { LockedName } from '../schemas/locked-names.ts'
import { LOCKED_NAME_SORT } from '../vocabulary.ts'

const example: LockedName = {
  id: '5',
  fqdn: 'home.example.net',
  locked_at: '2026-05-12T08:30:00.000Z',
  locked_by: 'boss',
  user_id: '7',
  username: 'ada',
  domain_id: '42',
}

export const lockedNames = {
  listLockedNames: {
    method: 'GET',
    url: '/api/admin/locked-names',
    summary: 'Locked names',
    description:
      'Locks have no expiry and outlive the domain and its owner’s account. 25 when no range is asked for, at most 100 at once.',
    access: 'administrator',
    query: listQuery({
      sort: LOCKED_NAME_SORT,
      filter: {
        q: 'a part of the name',
        id: 'one id or a list of them',
        user_id: 'id of the account that last held the name, or a list of them',
        has_domain: 'true or false: whether there is a domain with this name',
      },
    }),
    success: {
      status: 200,
      description: 'The locked names.',
      schema: Type.Array(ref(LockedName)),
      example: [example],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  deleteLockedName: {
    method: 'DELETE',
    url: '/api/admin/locked-names/{id}',
    summary: 'Clear the lock of a name',
    description:
      'The name, and names below it, can be registered again. Where there is a domain, this unlocks it: DNS serves it again, unless something else withholds it. Locks on names above it still hold.',
    access: 'administrator',
    stepUp: true,
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'The lock is cleared.' },
    problems: ['not-found'],
  },
} as const satisfies Slice
