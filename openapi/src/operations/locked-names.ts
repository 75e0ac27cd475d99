/** Locks on names, for administrators: list and clear. Locking a domain sets a lock. */
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
    summary: 'List locked names',
    description:
      'Locks do not expire. They remain after the domain and its owner’s account are deleted. Without `range`, the list has 25 items; the maximum is 100.',
    access: 'administrator',
    permission: 'administration',
    query: listQuery({
      sort: LOCKED_NAME_SORT,
      filter: {
        q: 'a part of the name',
        id: 'one id or a list of ids',
        user_id: 'the id of the account that last had the name, or a list of ids',
        has_domain: 'true or false: whether a domain with this name exists',
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
    summary: 'Clear the lock on a name',
    description:
      'The name and the names below it can be registered again. If a domain with this name exists, it is unlocked: DNS serves it again, unless it is withheld for another reason. Locks on names above it still apply.',
    access: 'administrator',
    permission: 'administration',
    stepUp: true,
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'The lock is cleared.' },
    problems: ['not-found'],
  },
} as const satisfies Slice
