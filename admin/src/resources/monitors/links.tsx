/** A link from the page of a user to their monitors. */
import { counted } from '@homing/theme/formats'
import { useGetList } from 'react-admin'
import { Link } from 'react-router'
import type { AdminMonitor } from '../../api/client.ts'

const ONE = { page: 1, perPage: 1 }
const BY_ID = { field: 'id', order: 'ASC' } as const

/** How many monitors the user has, turned on or off. */
export function MonitorsOfUser({ userId }: { userId: string }) {
  const filter = { user_id: userId }
  const { total } = useGetList<AdminMonitor>(
    'monitors',
    { pagination: ONE, sort: BY_ID, filter },
    { retry: false, onError: () => undefined },
  )
  if (total === undefined) return '–'
  const query = new URLSearchParams({ filter: JSON.stringify(filter) })
  return <Link to={`/monitors?${query.toString()}`}>{counted(total, 'monitor')}</Link>
}
