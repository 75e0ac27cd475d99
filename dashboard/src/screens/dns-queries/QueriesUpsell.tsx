/** DNS analytics are not in the plan: what the plans that have them include, and an example. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { plansQuery } from '../../api/plans.ts'
import { PLAN_NAMES, plansWith } from '../frame/plan-words.ts'
import { exampleSeries } from './example-series.ts'
import { QueryChart } from './QueryChart.tsx'

export function QueriesUpsell() {
  const { data: plans } = useQuery(plansQuery)
  const [example] = useState(() => exampleSeries(Date.now()))
  const first = (plans ?? []).find(({ abilities }) => abilities.includes('analytics'))
  return (
    <section className="card section-card" aria-labelledby="queries-upsell">
      <h2 id="queries-upsell">DNS analytics are not included in your plan</h2>
      <p>
        With {plansWith('analytics', plans)}, you see which domains are queried, when, for what, and
        from which countries and networks, and queries in real time.
      </p>
      <div className="query-example">
        <p>
          <strong className="badge">Example</strong> These are not your queries.
        </p>
        <QueryChart
          label="Example of queries over 7 days"
          series={example}
          fileName="dns-queries-example"
        />
      </div>
      <p>
        <a className="section-link" href="/pricing">
          {first === undefined ? 'Compare plans' : `Upgrade to ${PLAN_NAMES[first.id]}`}
        </a>
      </p>
    </section>
  )
}
