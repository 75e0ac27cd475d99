/** The own zones and claims of all accounts. */
import { Filters, SearchField, useFilter } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import { OwnerFilter } from '../../list/OwnerFilter.tsx'
import { StateCounts } from '../../list/StateCounts.tsx'
import { COLUMNS } from './columns.tsx'
import { STATE_CHOICES } from './ZoneState.tsx'

/** The API's filter is a truth value. */
function ServersFilter() {
  const { filter, change } = useFilter()
  const chosen = filter['is_vanity']
  return (
    <label className="filter">
      <span>Name servers</span>
      <select
        value={typeof chosen === 'boolean' ? String(chosen) : ''}
        onChange={({ target: { value } }) =>
          change({ is_vanity: value === '' ? undefined : value === 'true' })
        }
      >
        <option value="">All</option>
        <option value="true">Vanity</option>
        <option value="false">Of the service</option>
      </select>
    </label>
  )
}

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
        <ServersFilter />
        <OwnerFilter records="own zones" />
      </Filters>
    </ListPage>
  )
}
