/** A link from the page of a user to their own zones. */
import { counted } from '@homing/theme/formats'
import { useGetList } from 'react-admin'
import { Link } from 'react-router'
import type { AdminOwnZone } from '../../api/client.ts'

const ONE = { page: 1, perPage: 1 }
const BY_ID = { field: 'id', order: 'ASC' } as const

/** How many zones and claims the user has, also those that are over. */
export function ZonesOfUser({ userId }: { userId: string }) {
  const filter = { user_id: userId }
  const { total } = useGetList<AdminOwnZone>(
    'zones',
    { pagination: ONE, sort: BY_ID, filter },
    { retry: false, onError: () => undefined },
  )
  if (total === undefined) return '–'
  const query = new URLSearchParams({ filter: JSON.stringify(filter) })
  return <Link to={`/zones?${query.toString()}`}>{counted(total, 'own zone')}</Link>
}
