/** All locks on names, including those whose domain or account was deleted. */
import { DomainLink } from '../../layout/DomainLink.tsx'
import { Link } from 'react-router'
import type { LockedName } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { StateCounts } from '../../list/StateCounts.tsx'
import { ClearLockButton } from './ClearLockButton.tsx'

const STATES = [
  { label: 'All', value: undefined },
  { label: 'With a domain', value: true },
  { label: 'Without a domain', value: false },
]

const COLUMNS: readonly Column<LockedName>[] = [
  {
    field: 'fqdn',
    label: 'Name',
    isSortable: true,
    cell: ({ fqdn, domain_id }) =>
      domain_id === null ? (
        <span className="monospace breakable">{fqdn}</span>
      ) : (
        <DomainLink id={domain_id} fqdn={fqdn} />
      ),
  },
  {
    field: 'username',
    label: 'Last owner',
    cell: ({ user_id, username }) =>
      user_id === null ? (
        <span className="muted">deleted account</span>
      ) : (
        <Link to={`/users/${user_id}`}>{username}</Link>
      ),
  },
  {
    field: 'locked_at',
    label: 'Locked',
    isSortable: true,
    cell: ({ locked_at }) => <Ago time={locked_at} never="never" />,
  },
  {
    field: 'locked_by',
    label: 'Locked by',
    cell: ({ locked_by }) => locked_by ?? <span className="muted">unknown</span>,
  },
  {
    field: 'clear',
    label: 'Lock',
    phone: 'whole',
    cell: (lock) => <ClearLockButton lock={lock} />,
  },
]

export function LockedNameList() {
  return (
    <ListPage
      resource="locked-names"
      title="Locked names"
      sort={{ field: 'id', order: 'DESC' }}
      columns={COLUMNS}
      empty="No names are locked."
    >
      <StateCounts label="Domain" field="has_domain" states={STATES} />
      <Filters>
        <SearchField label="Search name" />
      </Filters>
    </ListPage>
  )
}
