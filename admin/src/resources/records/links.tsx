/** The link from the page of a user to their records. */
import { counted } from '@homing/theme/formats'
import { useGetList } from 'react-admin'
import { Link } from 'react-router'
import type { AdminRecord } from '../../api/client.ts'

const ONE = { page: 1, perPage: 1 }
const BY_ID = { field: 'id', order: 'ASC' } as const

/** How many records the user has, outside the addresses of domains. */
export function RecordsOfUser({ userId }: { userId: string }) {
  const filter = { user_id: userId }
  const { total } = useGetList<AdminRecord>(
    'records',
    { pagination: ONE, sort: BY_ID, filter },
    { retry: false, onError: () => undefined },
  )
  if (total === undefined) return '–'
  const list = `/records?${new URLSearchParams({ filter: JSON.stringify(filter) }).toString()}`
  return <Link to={list}>{counted(total, 'record')}</Link>
}
