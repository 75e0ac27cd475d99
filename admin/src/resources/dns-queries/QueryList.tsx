/** The DNS queries for the domains of all accounts, by zone, country, network or type. */
import { counted, timeText } from '@homing/theme/formats'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { useSearchParams } from 'react-router'
import type { AdminQueries } from '../../api/client.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { Ago } from '../../layout/Ago.tsx'
import { PageHeading } from '../../layout/PageHeading.tsx'
import { Trouble } from '../../layout/Trouble.tsx'
import { Waiting } from '../../layout/Waiting.tsx'
import { Filters } from '../../list/filters.tsx'
import { beginOf, type Choice, chosenIn, GROUP_CHOICES, PERIOD_CHOICES } from './choices.ts'
import { QueryTable } from './QueryTable.tsx'

/** The rows of a page. The other queries are one more row. */
const ROWS = 100

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChoose: (value: string) => void
}

function Select({ label, value, choices, onChoose }: SelectProps) {
  return (
    <label className="filter">
      <span>{label}</span>
      <select value={value} onChange={({ target }) => onChoose(target.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The licences of the data about addresses ask for it. */
function GeographySource() {
  return (
    <p className="panel-text">
      Countries and networks from the <a href="https://www.nro.net/">NRO</a>,{' '}
      <a href="https://www.routeviews.org/">Route Views</a> and{' '}
      <a href="https://db-ip.com">IP Geolocation by DB-IP</a>.
    </p>
  )
}

function Counted({ queries }: { queries: AdminQueries }) {
  const { by, from, to, total, counted_until, rows } = queries
  return (
    <>
      <p className="panel-text">
        {counted(total, 'query', 'queries')} from {timeText(from)} to {timeText(to)}. Counted until:{' '}
        <Ago time={counted_until} never="nothing was counted yet" />.
      </p>
      {rows.length === 0 ? (
        <p className="empty">No queries in this period.</p>
      ) : (
        <QueryTable queries={queries} />
      )}
      {(by === 'country' || by === 'network') && <GeographySource />}
    </>
  )
}

export default function QueryList() {
  const provider = useDataProvider<AdminDataProvider>()
  const [search, setSearch] = useSearchParams()
  const chosen = chosenIn(search)
  const { by, last } = chosen
  const { data, error, refetch } = useQuery({
    queryKey: ['DNS queries', by, last],
    queryFn: () => provider.dnsQueries({ by, from: beginOf(last, Date.now()), limit: ROWS }),
    retry: false,
  })
  const choose = (part: Partial<Record<keyof typeof chosen, string>>) =>
    setSearch({ ...chosen, ...part })
  return (
    <>
      <PageHeading title="DNS queries" />
      <Filters>
        <Select
          label="Count by"
          value={by}
          choices={GROUP_CHOICES}
          onChoose={(value) => choose({ by: value })}
        />
        <Select
          label="Period"
          value={last}
          choices={PERIOD_CHOICES}
          onChoose={(value) => choose({ last: value })}
        />
      </Filters>
      {error !== null && <Trouble error={error} onRetry={() => void refetch()} />}
      {error === null && (data === undefined ? <Waiting /> : <Counted queries={data} />)}
    </>
  )
}
