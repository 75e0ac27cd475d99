/** The monitors of all accounts, and how monitoring runs. */
import { Choice, Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import { OwnerFilter } from '../../list/OwnerFilter.tsx'
import { StateCounts } from '../../list/StateCounts.tsx'
import { COLUMNS } from './columns.tsx'
import { MonitoringPanel } from './MonitoringPanel.tsx'
import { STATE_CHOICES } from './MonitorState.tsx'

const KINDS = [
  { value: 'https', label: 'https' },
  { value: 'http', label: 'http' },
  { value: 'tcp', label: 'TCP' },
  { value: 'dns', label: 'DNS' },
  { value: 'heartbeat', label: 'Heartbeat' },
]

export function MonitorList() {
  return (
    <ListPage
      resource="monitors"
      title="Monitors"
      sort={{ field: 'state_since', order: 'DESC' }}
      columns={COLUMNS}
      empty="No domains are monitored."
    >
      <MonitoringPanel />
      <StateCounts label="State" field="state" states={STATE_CHOICES} />
      <Filters>
        <SearchField label="Search domain or owner" />
        <Choice label="Kind" field="kind" all="All kinds" choices={KINDS} />
        <OwnerFilter records="monitors" />
      </Filters>
    </ListPage>
  )
}
