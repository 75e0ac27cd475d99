/** The plan of the account, its subscription and its invoices. */
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../../api/account.ts'
import { type Subscription, subscriptionQuery } from '../../../api/payments.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { CurrentPlanCard } from './CurrentPlanCard.tsx'
import { ComplimentaryNote } from './ComplimentaryNote.tsx'
import { InvoicesCard } from './InvoicesCard.tsx'
import { SubscriptionCard } from './SubscriptionCard.tsx'
import './plan.css'

/** Until the methods are known, plans count as for sale. */
const canPayWith = (methods: Subscription['canUse'] | undefined) =>
  methods === undefined || methods.card || methods.paypal

export default function PlanSection() {
  const account = useQuery(meQuery)
  const subscription = useQuery(subscriptionQuery)
  return (
    <>
      <Loaded query={account}>
        {(me) => (
          <CurrentPlanCard
            me={me}
            hasSubscription={subscription.data?.hasSubscription === true}
            isGift={subscription.data?.complimentaryPlan === me.plan}
            canPay={canPayWith(subscription.data?.canUse)}
          />
        )}
      </Loaded>
      <Loaded query={subscription} failure="Failed to load your subscription">
        {(current) => (
          <>
            {current.complimentaryPlan !== null && (
              <ComplimentaryNote
                plan={current.complimentaryPlan}
                hasSubscription={current.hasSubscription}
              />
            )}
            {current.hasSubscription && (
              <SubscriptionCard subscription={current} me={account.data} />
            )}
          </>
        )}
      </Loaded>
      <InvoicesCard />
    </>
  )
}
