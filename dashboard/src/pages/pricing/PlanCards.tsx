import type { Operator } from '@homing/openapi/site'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { MailLink } from '../MailLink.tsx'
import { money } from '@homing/theme/formats'
import { type Billing, planName, type SitePlan, yearlySavings } from './plan-prices.ts'
import { highlightsOf } from './plan-features.ts'

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
  readonly operator: Operator
  readonly isSignedIn: boolean
  /** `both`: the switch of the page shows one of them. */
  readonly billing: Billing | 'both'
}

/** The way to a plan. Accounts begin on the free plan; the operator changes the plan of an account. */
function PlanAction({ plan, operator, isSignedIn }: PlanCardsProps & { readonly plan: SitePlan }) {
  const { supportEmail } = operator
  const isFree = plan.price_month_cents === 0
  if (!isFree && supportEmail !== undefined) {
    return (
      <p>
        <MailLink
          to={supportEmail}
          subject={`Upgrade to ${planName(plan)}`}
          className="button-quiet"
        >
          {`Ask for ${planName(plan)}`}
        </MailLink>
      </p>
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

/** The plans side by side: price, and what each adds to the one before it. */
export function PlanCards(props: PlanCardsProps) {
  const { plans, billing } = props
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
          <PlanAction {...props} plan={plan} />
        </article>
      ))}
    </div>
  )
}
