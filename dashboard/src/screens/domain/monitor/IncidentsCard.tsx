/** When the domain was down or could not be checked, why, and for how long. */
import { lengthText, timeText } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { incidentsQuery, type MonitorIncident } from '../../../api/monitors.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { STATE_LOOKS } from '../../monitor/monitor-words.ts'

function Incident({ incident }: { readonly incident: MonitorIncident }) {
  const { state, started_at, ended_at, duration_seconds, cause_text } = incident
  const { word, icon, tone } = STATE_LOOKS[state]
  return (
    <li className="section-row">
      <div>
        <span className={`monitor-state monitor-state-${tone}`}>
          <Icon name={icon} size={16} />
          {word} for {lengthText(duration_seconds)}
          {ended_at === null && ' so far'}
        </span>
        <p>{cause_text}</p>
        <p className="muted">
          <time dateTime={started_at}>{timeText(started_at)}</time>
          {ended_at === null ? ', it continues' : ` to ${timeText(ended_at)}`}
        </p>
      </div>
    </li>
  )
}

export function IncidentsCard({ domainId }: { readonly domainId: string }) {
  const query = useInfiniteQuery(incidentsQuery(domainId))
  const { data, error, dataUpdatedAt, fetchStatus, refetch } = query
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = query
  const ownError = isFetchNextPageError ? null : error
  const older = () => void fetchNextPage()
  return (
    <section className="card section-card" aria-labelledby="incidents-title">
      <h2 id="incidents-title">Incidents</h2>
      <Loaded query={{ data, error: ownError, dataUpdatedAt, fetchStatus, refetch }}>
        {({ pages }) => {
          const all = pages.flatMap(({ incidents }) => incidents)
          // An incident that began between two reads moves the others to the next page.
          const once = all.filter(({ id }, n) => all.findIndex((each) => each.id === id) === n)
          if (once.length === 0) return <p>No incidents within the last 400 days.</p>
          return (
            <ul className="section-rows" aria-labelledby="incidents-title">
              {once.map((incident) => (
                <Incident key={incident.id} incident={incident} />
              ))}
            </ul>
          )
        }}
      </Loaded>
      {isFetchNextPageError && error !== null && <Failure error={error} onRetry={older} />}
      {hasNextPage && !isFetchNextPageError && (
        <button
          type="button"
          className="line-button fit"
          aria-disabled={isFetchingNextPage}
          onClick={() => isFetchingNextPage || older()}
        >
          {isFetchingNextPage ? 'Loading...' : 'Show Older Incidents'}
        </button>
      )}
    </section>
  )
}
