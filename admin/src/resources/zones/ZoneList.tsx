/** The own zones and claims of all accounts. */
import { Choice, Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import { OwnerFilter } from '../../list/OwnerFilter.tsx'
import { StateCounts } from '../../list/StateCounts.tsx'
import { COLUMNS } from './columns.tsx'
import { STATE_CHOICES } from './ZoneState.tsx'

const SERVERS = [
  { value: 'true', label: 'Vanity' },
  { value: 'false', label: 'Of the service' },
]

export function ZoneList() {
  return (
    <ListPage
      resource="zones"
      title="Own zones"
      sort={{ field: 'claimed_at', order: 'DESC' }}
      columns={COLUMNS}
      empty="Nobody has claimed a domain."
    >
      <StateCounts label="State" field="state" states={STATE_CHOICES} />
      <Filters>
        <SearchField label="Search zone or owner" />
        <Choice label="Name servers" field="is_vanity" all="All" choices={SERVERS} />
        <OwnerFilter records="own zones" />
      </Filters>
    </ListPage>
  )
}
