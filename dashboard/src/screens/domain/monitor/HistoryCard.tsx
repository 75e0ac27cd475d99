/** The last 24 hours and 90 days in pictures. */
import { useQuery } from '@tanstack/react-query'
import { type HistorySpan, historyQuery, type UptimeHistory } from '../../../api/monitors.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { PART_NAMES, type PartKind } from './part-words.ts'
import { UptimeBars } from './UptimeBars.tsx'
import { UptimeTable } from './UptimeTable.tsx'
import { useNarrow } from './use-narrow.ts'

const KINDS = Object.keys(PART_NAMES) as readonly PartKind[]

interface PictureProps {
  readonly domainId: string
  readonly title: string
  readonly span: HistorySpan
  readonly resolution: UptimeHistory['resolution']
  /** The ends of the picture. */
  readonly ends: readonly [string, string]
}

function Picture({ domainId, title, span, resolution, ends: [first, last] }: PictureProps) {
  const query = useQuery(historyQuery(domainId, span, resolution))
  return (
    <Loaded query={query}>
      {({ parts }) => (
        <div className="uptime-history">
          <h3>{title}</h3>
          <UptimeBars label={`${title}, part by part`} parts={parts} span={span} />
          <div className="uptime-ends" aria-hidden="true">
            <span>{first}</span>
            <span>{last}</span>
          </div>
          <UptimeTable label={title} parts={parts} span={span} />
        </div>
      )}
    </Loaded>
  )
}

export function HistoryCard({ domainId }: { readonly domainId: string }) {
  const isNarrow = useNarrow()
  return (
    <section className="card section-card" aria-labelledby="uptime-title">
      <h2 id="uptime-title">Uptime</h2>
      <Picture
        domainId={domainId}
        title="24 hours"
        span="24h"
        resolution={isNarrow ? '1h' : '5m'}
        ends={['24 hours ago', 'now']}
      />
      <Picture
        domainId={domainId}
        title="90 days"
        span="90d"
        resolution="1d"
        ends={['90 days ago', 'today (UTC)']}
      />
      <ul className="uptime-legend" aria-label="Legend">
        {KINDS.map((kind) => (
          <li key={kind}>
            <span className={`part part-${kind}`} />
            {PART_NAMES[kind]}
          </li>
        ))}
      </ul>
    </section>
  )
}
