/** On the page of a user: what their plan comes from. */
import { Link } from 'react-router'
import type { AdminSubscription, AdminUser } from '../../api/client.ts'
import { PLAN_LABELS } from '../plans/plan-labels.ts'
import { useSubscriptionsOf } from './live-subscription.ts'
import { SubscriptionState } from './SubscriptionState.tsx'
import { amountText, CYCLES, PLANS, PROVIDERS } from './words.ts'

/** Where the plan of the account comes from, in a sentence. */
function sourceText(user: AdminUser, live: AdminSubscription | undefined): string {
  const label = PLAN_LABELS[user.account_type]
  if (user.account_type !== 'pro' && user.account_type !== 'elite') {
    return live === undefined
      ? `${label}: no plan is paid for.`
      : `${label}. The ${PLANS[live.plan]} plan is paid for.`
  }
  if (live === undefined) return `${label} is complimentary: nothing is paid for it.`
  return live.plan === user.account_type
    ? `${label} is paid for. It stays if you set the plan to Free here.`
    : `${label} is complimentary. ${PLANS[live.plan]} is paid for, and stays if you set the plan to Free here.`
}

export function SubscriptionPanel({ user }: { user: AdminUser }) {
  const { data, error, live } = useSubscriptionsOf(user.id)
  const all = new URLSearchParams({ filter: JSON.stringify({ user_id: user.id }) }).toString()
  return (
    <>
      {error !== null && <p>The subscriptions could not be read.</p>}
      {data !== undefined && (
        <>
          <p>{sourceText(user, live)}</p>
          <p className="muted">A plan that is set in the form is complimentary.</p>
          <ul className="plain-list">
            {data.map((subscription) => {
              const { id, plan, billing, amount_cents, currency, provider } = subscription
              return (
                <li key={id}>
                  {PLANS[plan]}, {CYCLES[billing]}, {amountText(amount_cents, currency)} by{' '}
                  {PROVIDERS[provider]} <SubscriptionState subscription={subscription} />
                </li>
              )
            })}
          </ul>
          {data.length > 0 && <Link to={`/subscriptions?${all}`}>All subscriptions</Link>}
        </>
      )}
    </>
  )
}
