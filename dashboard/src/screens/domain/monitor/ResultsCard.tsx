/** The last checks, one by one. */
import { count, momentText } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type MonitorResult, resultsQuery } from '../../../api/monitors.ts'
import { Loaded } from '../../../components/Loaded.tsx'

/** How many are shown at first. */
const FIRST = 10

/** What a check found: `https answered with status 200 in 38 ms`. */
function resultText({ kind, is_up, status, latency_ms, cause_text }: MonitorResult): string {
  if (!is_up) return `${kind}: ${cause_text ?? 'The check failed.'}`
  const what = kind === 'heartbeat' ? 'heartbeat received' : `${kind} answered`
  const how = status === null ? '' : ` with status ${status}`
  return `${what}${how}${latency_ms === null ? '' : ` in ${latency_ms} ms`}`
}

function Result({ result }: { readonly result: MonitorResult }) {
  const { at, is_up, address } = result
  return (
    <li className="monitor-result">
      <time dateTime={at}>{momentText(at)}</time>
      <span className={is_up ? 'monitor-state-ok' : 'monitor-state-error'}>
        <Icon name={is_up ? 'success' : 'failure'} size={16} />
        <span className="visually-hidden">{is_up ? 'Succeeded:' : 'Failed:'}</span>
      </span>
      <span>
        {resultText(result)}
        {address !== null && <span className="muted monospace"> {address}</span>}
      </span>
    </li>
  )
}

function Results({ results }: { readonly results: readonly MonitorResult[] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? results : results.slice(0, FIRST)
  if (results.length === 0) return <p>No check has run yet.</p>
  return (
    <>
      <ul className="monitor-results" aria-labelledby="results-title">
        {shown.map((result) => (
          <Result key={result.at} result={result} />
        ))}
      </ul>
      {shown.length < results.length && (
        <button type="button" className="line-button fit" onClick={() => setWhole(true)}>
          Show All {count(results.length)}
        </button>
      )}
    </>
  )
}

export function ResultsCard({ domainId }: { readonly domainId: string }) {
  const query = useQuery(resultsQuery(domainId))
  return (
    <section className="card section-card" aria-labelledby="results-title">
      <h2 id="results-title">Last Checks</h2>
      <Loaded query={query}>{(results) => <Results results={results} />}</Loaded>
    </section>
  )
}
