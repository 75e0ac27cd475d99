import { Icon } from '@homing/theme/parts/Icon.tsx'
import { money } from '@homing/theme/formats'
import { type Billing, planName, type SitePlan, yearlySavings } from './plan-prices.ts'
import { highlightsOf } from './plan-features.ts'
import { NO_PAYMENTS } from '../../components/no-payments.ts'

const PERIODS: Readonly<Record<Billing, string>> = { month: 'per month', year: 'per year' }

interface PriceProps {
  readonly plan: SitePlan
  readonly billing: Billing
}

function Price({ plan, billing }: PriceProps) {
  const { price_month_cents, price_year_cents, currency } = plan
  const cents = billing === 'month' ? price_month_cents : price_year_cents
  if (cents === null) return <p className={`price by-${billing}`}>Not sold {PERIODS[billing]}</p>
  const savings = billing === 'year' ? yearlySavings(plan) : 0
  return (
    <p className={`price by-${billing}`}>
      <strong>{money(cents, currency)}</strong>{' '}
      {cents === 0 ? 'for as long as you like' : PERIODS[billing]}
      {savings > 0 && <span className="savings">You save {money(savings, currency)}</span>}
    </p>
  )
}

interface PlanCardsProps {
  readonly plans: readonly SitePlan[]
  readonly isSignedIn: boolean
  /** Whether plans can be bought. */
  readonly canPay: boolean
  /** `both`: the switch of the page shows one of them. */
  readonly billing: Billing | 'both'
}

const CYCLES: Readonly<Record<Billing, string>> = { month: 'monthly', year: 'annual' }

/** The way to the checkout. It requires an account, so visitors register first; the app remembers the plan. */
function ChooseLink({ plan, billing, isSignedIn }: PriceProps & { readonly isSignedIn: boolean }) {
  const query = new URLSearchParams({ plan: plan.id, billing: CYCLES[billing] }).toString()
  return (
    <p className={`by-${billing}`}>
      <a className="button" href={`${isSignedIn ? '/payment' : '/register'}?${query}`}>
        Choose {planName(plan)}
      </a>
    </p>
  )
}

/** The billing cycles by which a plan is sold. */
const soldBy = ({ price_month_cents, price_year_cents }: SitePlan): readonly Billing[] => [
  ...((price_month_cents ?? 0) > 0 ? (['month'] as const) : []),
  ...((price_year_cents ?? 0) > 0 ? (['year'] as const) : []),
]

/** The way to a plan: free accounts are created at once, and the others are paid. */
function PlanAction({ plan, periods, isSignedIn, canPay }: PlanActionProps) {
  const sold = soldBy(plan)
  const isFree = plan.price_month_cents === 0
  if (sold.length > 0 && !canPay) return <p className="muted">{NO_PAYMENTS}</p>
  if (sold.length > 0) {
    const shown = periods.filter((period) => sold.includes(period))
    return (
      <>
        {(shown.length > 0 ? shown : sold.slice(0, 1)).map((billing) => (
          <ChooseLink key={billing} plan={plan} billing={billing} isSignedIn={isSignedIn} />
        ))}
      </>
    )
  }
  if (isSignedIn) return null
  return (
    <p>
      <a className={isFree ? 'button' : 'button-quiet'} href="/register">
        {isFree ? 'Create a free account' : 'Begin with Free'}
      </a>
    </p>
  )
}

function Additions({ before }: { readonly before: SitePlan | undefined }) {
  return before && <p className="muted">Everything in {planName(before)}, and:</p>
}

interface PlanActionProps extends Pick<PlanCardsProps, 'isSignedIn' | 'canPay'> {
  readonly plan: SitePlan
  readonly periods: readonly Billing[]
}

/** The plans side by side: price, and what each adds to the one before it. */
export function PlanCards({ plans, billing, isSignedIn, canPay }: PlanCardsProps) {
  const periods: readonly Billing[] = billing === 'both' ? ['month', 'year'] : [billing]
  return (
    <div className="plan-cards">
      {plans.map((plan, place) => (
        <article key={plan.id} className="card plan-card">
          <h3>{planName(plan)}</h3>
          {periods.map((period) => (
            <Price key={period} plan={plan} billing={period} />
          ))}
          <Additions before={plans[place - 1]} />
          <ul className="highlights">
            {highlightsOf(plan, plans[place - 1]).map((line) => (
              <li key={line}>
                <Icon name="check" size={16} />
                {line}
              </li>
            ))}
          </ul>
          <PlanAction plan={plan} periods={periods} isSignedIn={isSignedIn} canPay={canPay} />
        </article>
      ))}
    </div>
  )
}
