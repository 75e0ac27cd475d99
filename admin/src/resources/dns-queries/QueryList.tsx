/** The DNS queries that the service answered, by zone, country, network or type. */
import { Choice, Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import { COLUMNS } from './columns.tsx'

const GROUPS = [
  { value: 'country', label: 'Country' },
  { value: 'network', label: 'Network' },
  { value: 'type', label: 'Type' },
]

/** Today is one of the days. */
const PERIODS = [
  { value: '1', label: 'Today (UTC)' },
  { value: '30', label: '30 days' },
  { value: '400', label: '400 days' },
]

/** The licences of the data about addresses ask for it. */
function GeographySource() {
  return (
    <p className="query-source">
      Countries and networks from the <a href="https://www.nro.net/">NRO</a>,{' '}
      <a href="https://www.routeviews.org/">Route Views</a> and{' '}
      <a href="https://db-ip.com">IP Geolocation by DB-IP</a>.
    </p>
  )
}

export function QueryList() {
  return (
    <>
      <ListPage
        resource="dns-queries"
        title="DNS queries"
        sort={{ field: 'queries', order: 'DESC' }}
        columns={COLUMNS}
        empty="No queries were counted in the last 7 days."
      >
        <Filters>
          <Choice label="Count by" field="by" all="Zone" choices={GROUPS} />
          <Choice label="Period" field="days" all="7 days" choices={PERIODS} />
          <SearchField label="Search zone, code or type" />
        </Filters>
      </ListPage>
      <GeographySource />
    </>
  )
}
