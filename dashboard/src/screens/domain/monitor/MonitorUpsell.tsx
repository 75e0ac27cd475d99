import { spanText } from '@homing/theme/formats'
import { useQuery } from '@tanstack/react-query'
import { plansQuery } from '../../../api/plans.ts'
import { PLAN_NAMES, plansWith } from '../../frame/plan-words.ts'

/** Monitors are not in the plan: what the plans that have them include. */
export function MonitorUpsell() {
  const { data: plans } = useQuery(plansQuery)
  const larger = (plans ?? []).filter(({ abilities }) => abilities.includes('uptime'))
  const [first] = larger
  return (
    <section className="card section-card" aria-labelledby="monitor-upsell">
      <h2 id="monitor-upsell">Uptime monitoring is not included in your plan</h2>
      <p>
        With {plansWith('uptime', plans)}, Homing checks regularly whether a domain answers, and
        sends you mail when it is down.
      </p>
      {larger.length > 0 && (
        <ul className="monitor-plans">
          {larger.map(({ id, monitor_interval }) => (
            <li key={id}>
              {PLAN_NAMES[id]}: a check every {spanText(monitor_interval)}
            </li>
          ))}
        </ul>
      )}
      <p>
        <a className="section-link" href="/pricing">
          {first === undefined ? 'Compare plans' : `Upgrade to ${PLAN_NAMES[first.id]}`}
        </a>
      </p>
    </section>
  )
}
