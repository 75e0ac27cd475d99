import type { SitePageData } from '@homing/openapi/site'
import { money } from '@homing/theme/formats'
import { planName, type SitePlan, yearlySavings } from './plan-prices.ts'
import { PlanCards } from './PlanCards.tsx'
import { FEATURES, type FeatureRow } from './plan-features.ts'

/** Radio buttons, so that the switch works with the keyboard and without scripts: the style sheet shows one of the prices. */
function BillingSwitch({ plans }: { readonly plans: readonly SitePlan[] }) {
  const savings = plans
    .filter((plan) => yearlySavings(plan) > 0)
    .map((plan) => `${money(yearlySavings(plan), plan.currency)} with ${planName(plan)}`)
  return (
    <fieldset className="billing">
      <legend>Billing</legend>
      <div className="billing-switch">
        <label>
          <input type="radio" name="billing" id="billing-month" defaultChecked />
          Monthly
        </label>
        <label>
          <input type="radio" name="billing" id="billing-year" />
          Annual
        </label>
      </div>
      {savings.length > 0 && <p className="muted">Annual saves {savings.join(' and ')}.</p>}
    </fieldset>
  )
}

function Value({ row, plan }: { readonly row: FeatureRow; readonly plan: SitePlan }) {
  const value = row.value(plan)
  if (typeof value === 'string') return value
  return value ? 'Yes' : <span className="muted">No</span>
}

function Comparison({ plans }: { readonly plans: readonly SitePlan[] }) {
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label="Comparison of the plans">
      <table>
        <thead>
          <tr>
            <td />
            {plans.map((plan) => (
              <th key={plan.id} scope="col">
                {planName(plan)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FEATURES.map((row) => (
            <tr key={row.label}>
              <th scope="row">{row.label}</th>
              {plans.map((plan) => (
                <td key={plan.id}>
                  <Value row={row} plan={plan} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** `by card or with PayPal`: the ways that the service takes; undefined: it takes no payments. */
function payWays({ card, paypal }: SitePageData<'pricing'>['paymentMethods']): string | undefined {
  const ways = [...(card ? ['by card'] : []), ...(paypal ? ['with PayPal'] : [])]
  return ways.length === 0 ? undefined : ways.join(' or ')
}

/** The prices of the plans, by month and by year, and a comparison. */
export function PricingPage(data: SitePageData<'pricing'>) {
  const { plans, isSignedIn, paymentMethods } = data
  const ways = payWays(paymentMethods)
  return (
    <div className="pricing">
      <div className="page-head">
        <h1>Pricing</h1>
        <p className="lead">
          Every account begins on Free. You can change the plan later: your domains stay as they
          are.
        </p>
      </div>
      <BillingSwitch plans={plans} />
      <h2 className="visually-hidden">Plans</h2>
      <PlanCards plans={plans} isSignedIn={isSignedIn} canPay={ways !== undefined} billing="both" />
      {ways !== undefined && (
        <p className="prose">
          7-day money-back guarantee. Cancel anytime. Instant activation. You pay {ways}. Prices
          include tax.
        </p>
      )}
      <h2>Comparison</h2>
      <Comparison plans={plans} />
      <h2>A smaller plan deletes nothing</h2>
      <p className="prose">
        When you change to a plan with fewer domains, the oldest ones stay in DNS, up to the limit.
        The others are kept in your account, but DNS does not answer for them until there is room
        again. Other DNS records stay as they are, and you can add more when they fit the plan.
      </p>
    </div>
  )
}
