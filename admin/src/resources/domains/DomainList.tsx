/** All registered domains. */
import { DomainLink } from '../../layout/DomainLink.tsx'
import { Link, Navigate, useSearchParams } from 'react-router'
import type { AdminDomain } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { Choice, Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import { OwnerFilter } from '../../list/OwnerFilter.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { StateCounts } from '../../list/StateCounts.tsx'
import { count } from '@homing/theme/formats'
import { DomainStatus } from './DomainStatus.tsx'
import { useZoneChoices } from './zones.ts'

const STATES = [
  { label: 'All', value: undefined },
  { label: 'Active', value: 'active' },
  { label: 'Locked', value: 'locked' },
  { label: 'Paused', value: 'paused' },
  { label: 'Over the limit', value: 'over_limit' },
  { label: 'Owner suspended', value: 'owner_blocked' },
]

const TYPES = [
  { value: 'A', label: 'A (IPv4)' },
  { value: 'AAAA', label: 'AAAA (IPv6)' },
]

function Addresses({ domain }: { domain: AdminDomain }) {
  const addresses = [domain.record_ipv4, domain.record_ipv6].filter((text) => text !== null)
  if (addresses.length === 0) return <span className="muted">none</span>
  return addresses.map((text) => (
    <span key={text} className="monospace address">
      {text}
    </span>
  ))
}

const COLUMNS: readonly Column<AdminDomain>[] = [
  {
    field: 'fqdn',
    label: 'Domain',
    isSortable: true,
    cell: ({ id, fqdn }) => <DomainLink id={id} fqdn={fqdn} />,
  },
  {
    field: 'username',
    label: 'Owner',
    cell: ({ user_id, username }) => <Link to={`/users/${user_id}`}>{username}</Link>,
  },
  {
    field: 'record_ip',
    label: 'Address',
    phone: 'whole',
    cell: (domain) => <Addresses domain={domain} />,
  },
  {
    field: 'rrtype',
    label: 'Type',
    isSortable: true,
    phone: 'hidden',
    cell: ({ rrtype }) => rrtype,
  },
  {
    field: 'ttl',
    label: 'TTL',
    isSortable: true,
    phone: 'hidden',
    isNumber: true,
    cell: ({ ttl }) => <span title="seconds">{count(ttl)}</span>,
  },
  {
    field: 'is_active',
    label: 'Status',
    isSortable: true,
    phone: 'corner',
    cell: (domain) => <DomainStatus domain={domain} />,
  },
  {
    field: 'last_update_at',
    label: 'Last update',
    isSortable: true,
    cell: ({ last_update_at }) => <Ago time={last_update_at} never="never" />,
  },
]

/** Other pages link to a user's domains with `?user_id=7`. This turns the parameter into the list's filter. */
function useLinkToOwner(): string | undefined {
  const [search] = useSearchParams()
  const userId = search.get('user_id')
  if (userId === null) return undefined
  const filter = JSON.stringify({ user_id: userId })
  return `?${new URLSearchParams({ filter }).toString()}`
}

export function DomainList() {
  const owners = useLinkToOwner()
  const zones = useZoneChoices()
  if (owners !== undefined) return <Navigate to={{ search: owners }} replace />
  return (
    <ListPage
      resource="domains"
      title="Domains"
      sort={{ field: 'id', order: 'DESC' }}
      columns={COLUMNS}
      empty="No domains have been registered yet."
    >
      <StateCounts label="Status" field="status" states={STATES} />
      <Filters>
        <SearchField label="Search domain or address" />
        <Choice label="Zone" field="zone" all="All zones" choices={zones} />
        <Choice label="Type" field="rrtype" all="Both types" choices={TYPES} />
        <OwnerFilter records="domains" />
      </Filters>
    </ListPage>
  )
}
