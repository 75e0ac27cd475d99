/** Links from the pages of domains and users to their web forwards. */
import { counted } from '@homing/theme/formats'
import { useGetList } from 'react-admin'
import { Link } from 'react-router'
import type { AdminDomain, AdminWebForward } from '../../api/client.ts'

const ONE = { page: 1, perPage: 1 }
const BY_ID = { field: 'id', order: 'ASC' } as const

const useForwards = (filter: object) =>
  useGetList<AdminWebForward>(
    'web-forwards',
    { pagination: ONE, sort: BY_ID, filter },
    { retry: false, onError: () => undefined },
  )

/** The list of the web forwards with this filter. */
export const forwardsWhere = (filter: object) =>
  `/web-forwards?${new URLSearchParams({ filter: JSON.stringify(filter) }).toString()}`

/** Where the domain is forwarded to. A wildcard has the forward of its domain. */
export function ForwardOfDomain({ domain }: { domain: AdminDomain }) {
  const { data } = useForwards({ domain_id: domain.base_id ?? domain.id })
  const [forward] = data ?? []
  if (forward === undefined) return data === undefined ? '–' : 'none'
  return (
    <Link to={forwardsWhere({ q: forward.fqdn })} className="monospace breakable">
      {forward.target_url}
    </Link>
  )
}

/** How many of the user's domains have a forward. */
export function ForwardsOfUser({ userId }: { userId: string }) {
  const { total } = useForwards({ user_id: userId })
  if (total === undefined) return '–'
  return <Link to={forwardsWhere({ user_id: userId })}>{counted(total, 'web forward')}</Link>
}
