/** The web forwards of all accounts. */
import { Choice, Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import { OwnerFilter } from '../../list/OwnerFilter.tsx'
import { StateCounts } from '../../list/StateCounts.tsx'
import { BlockFilter } from './BlockFilter.tsx'
import { COLUMNS } from './columns.tsx'

const STATES = [
  { label: 'All', value: undefined },
  { label: 'Active', value: 'active' },
  { label: 'Paused', value: 'paused' },
  { label: 'Disabled', value: 'disabled' },
  { label: 'Stealth, acting as a redirect', value: 'fallback' },
]

const TYPES = [
  { value: 'redirect', label: 'Redirect' },
  { value: 'stealth', label: 'Stealth' },
]

export function WebForwardList() {
  return (
    <ListPage
      resource="web-forwards"
      title="Web forwards"
      sort={{ field: 'id', order: 'DESC' }}
      columns={COLUMNS}
      empty="No domains are forwarded."
    >
      <StateCounts label="Status" field="status" states={STATES} />
      <Filters>
        <SearchField label="Search domain or target" />
        <Choice label="Type" field="forwarding_type" all="Both types" choices={TYPES} />
        <OwnerFilter records="web forwards" />
        <BlockFilter />
      </Filters>
    </ListPage>
  )
}
