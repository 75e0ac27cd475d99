/** A mock of the API's accounts, in memory. */
import type { components } from '@homing/openapi/client'
import { exampleOf, listed, mock, ok, problem } from './mock.ts'
import { change, found } from './records.ts'

type User = components['schemas']['AdminUser']

/** As the API: another version whenever a field that administrators change has another value. */
const versioned = (row: User): User => {
  const { account_type, enabled, email, given_name, surname } = row
  return { ...row, version: [account_type, enabled, email, given_name, surname].join() }
}

const stateOf = ({ enabled, account_type }: User) => {
  if (!enabled) return 'suspended'
  return account_type === 'disabled' ? 'disabled' : 'active'
}

/** Mocks the calls for these accounts. @returns the accounts in memory, which calls change */
export function serveUsers(...rows: readonly User[]): User[] {
  const kept = [...rows]
  const read = (id: string) => kept.filter((row) => row.id === id).map(versioned)[0]
  mock.handle({
    listUsers({ query }) {
      const { status, ...filter } = JSON.parse(query.filter ?? '{}') as { status?: string }
      const rows = kept.filter((row) => status === undefined || stateOf(row) === status)
      return listed(rows.map(versioned), { ...query, filter: JSON.stringify(filter) })
    },
    getUser: ({ params }) => found(read(params.id)),
    updateUser({ params, body, headers }) {
      if (headers.get('if-match') !== `"${read(params.id)?.version}"`) {
        return problem('version-mismatch')
      }
      change(kept, params.id, body as Partial<User>)
      return found(read(params.id))
    },
    previewUserPlan({ params, query }) {
      const from = kept.find(({ id }) => id === params.id)?.account_type ?? 'free'
      return ok({ ...exampleOf('previewUserPlan'), from, to: query.plan ?? from })
    },
  })
  return kept
}
