/** The columns of the list of own zones, and of the claims of one domain. */
import { count } from '@homing/theme/formats'
import { Link } from 'react-router'
import type { AdminOwnZone } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { ZoneState } from './ZoneState.tsx'

/** How many accounts claim the domain, if it is more than this one. */
function Claims({ zone: { claim_count } }: { zone: AdminOwnZone }) {
  if (claim_count < 2) return null
  return <span className="second-line">{count(claim_count)} live claims</span>
}

export const COLUMNS: readonly Column<AdminOwnZone>[] = [
  {
    field: 'zone',
    label: 'Zone',
    isSortable: true,
    cell: (zone) => (
      <>
        <Link to={`/zones/${zone.id}/show`} className="row-link monospace breakable">
          {zone.zone}
        </Link>
        <Claims zone={zone} />
      </>
    ),
  },
  {
    field: 'username',
    label: 'Owner',
    cell: ({ user_id, username }) => <Link to={`/users/${user_id}`}>{username}</Link>,
  },
  {
    field: 'state',
    label: 'State',
    phone: 'corner',
    cell: (zone) => <ZoneState zone={zone} />,
  },
  {
    field: 'is_vanity',
    label: 'Name servers',
    cell: ({ is_vanity }) => (is_vanity ? 'vanity' : 'of the service'),
  },
  {
    field: 'records',
    label: 'Records',
    isSortable: true,
    isNumber: true,
    cell: ({ records }) => count(records),
  },
  {
    field: 'domains',
    label: 'Domains',
    isSortable: true,
    isNumber: true,
    cell: ({ domains }) => count(domains),
  },
  {
    field: 'claimed_at',
    label: 'Claimed',
    isSortable: true,
    cell: ({ claimed_at }) => <Ago time={claimed_at} never="" />,
  },
  {
    field: 'last_check',
    label: 'Last check',
    cell: ({ last_check }) => <Ago time={last_check?.checked_at ?? null} never="never" />,
  },
]
