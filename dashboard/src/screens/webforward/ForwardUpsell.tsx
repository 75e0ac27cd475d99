import { count } from '@homing/theme/formats'
import { useQuery } from '@tanstack/react-query'
import { plansQuery } from '../../api/plans.ts'
import { PLAN_NAMES, plansWith } from '../frame/plan-words.ts'

/** Web forwarding is not in the plan: what the plans that have it include. */
export function ForwardUpsell({ hasForwards }: { readonly hasForwards: boolean }) {
  const { data: plans } = useQuery(plansQuery)
  const larger = (plans ?? []).filter(({ abilities }) => abilities.includes('web_forward'))
  const [first] = larger
  return (
    <section className="card section-card" aria-labelledby="forward-upsell">
      <h2 id="forward-upsell">Web forwarding is not included in your plan</h2>
      <p>
        With {plansWith('web_forward', plans)}, the visitors of a domain reach any web page: by a
        redirect, or under your own domain with stealth.
      </p>
      {larger.length > 0 && (
        <ul className="forward-upsell-list">
          {larger.map(({ id, stealth_flag_limit }) => (
            <li key={id}>
              {PLAN_NAMES[id]}: {count(stealth_flag_limit)} stealth flags
            </li>
          ))}
          <li>Unlimited redirects</li>
        </ul>
      )}
      {hasForwards && (
        <p>
          Your web forwards are kept and work as redirects. You can delete them, but not change
          them.
        </p>
      )}
      <p>
        <a className="section-link" href="/pricing">
          {first === undefined ? 'Compare plans' : `Upgrade to ${PLAN_NAMES[first.id]}`}
        </a>
      </p>
    </section>
  )
}
