/** The monitors of all accounts, and how monitoring runs. */
import { Choice, Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import { OwnerFilter } from '../../list/OwnerFilter.tsx'
import { StateCounts } from '../../list/StateCounts.tsx'
import { COLUMNS } from './columns.tsx'
import { MonitoringPanel } from './MonitoringPanel.tsx'
import { useMonitoringStatus } from './monitoring-status.ts'
import { STATE_CHOICES } from './MonitorState.tsx'

const KINDS = [
  { value: 'https', label: 'https' },
  { value: 'http', label: 'http' },
  { value: 'tcp', label: 'TCP' },
  { value: 'dns', label: 'DNS' },
  { value: 'heartbeat', label: 'Heartbeat' },
]

/** The status has the monitors in each state, so that not every button has to count them. */
function States() {
  const { data, error } = useMonitoringStatus()
  const unfiltered = error === null ? { totals: data?.states } : undefined
  return <StateCounts label="State" field="state" states={STATE_CHOICES} unfiltered={unfiltered} />
}

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
      <States />
      <Filters>
        <SearchField label="Search domain or owner" />
        <Choice label="Kind" field="kind" all="All kinds" choices={KINDS} />
        <OwnerFilter records="monitors" />
      </Filters>
    </ListPage>
  )
}
