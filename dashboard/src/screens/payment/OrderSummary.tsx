/** What is bought: the plan, the billing cycle with its saving, and what is paid when. */
import { useId, useState } from 'react'
import { dayText, money } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import type { ChosenPlan } from '../../api/intended-plan.ts'
import { BILLING_CYCLES, PAID_PLANS } from '../../api/payments.ts'
import type { OfferedPlan } from '../../api/plans.ts'
import { Radios } from '../../components/Choices.tsx'
import { PLAN_NAMES } from '../frame/plan-words.ts'
import {
  amountText,
  CYCLE_NAMES,
  CYCLE_UNITS,
  cycleEnd,
  type Price,
  priceOf,
  priceText,
  savingOf,
} from '../frame/subscription-words.ts'

interface OrderSummaryProps {
  readonly chosen: ChosenPlan
  readonly price: Price
  readonly plans: readonly OfferedPlan[]
  /** When the present subscription ends, which this one follows; undefined: it begins at once. */
  readonly beginsAt: string | undefined
  readonly onChange: (chosen: ChosenPlan) => void
}

const GUARANTEES = ['7-day money-back guarantee', 'Cancel anytime', 'Instant activation'] as const

/** The money-back guarantee is for the first subscription. */
const GUARANTEES_LATER = ['Cancel anytime', 'Your plan continues without a gap'] as const

function cycleChoices({ chosen, plans }: OrderSummaryProps) {
  return BILLING_CYCLES.flatMap((value) => {
    const price = priceOf(plans, chosen.plan, value)
    if (price === undefined) return []
    const saving = value === 'annual' ? savingOf(plans, chosen.plan) : 0
    const save = saving > 0 ? `, save\u00A0${money(saving, price.currency)}` : ''
    return [{ value, label: CYCLE_NAMES[value], text: `${priceText(price, value)}${save}` }]
  })
}

function planChoices({ chosen, plans }: OrderSummaryProps) {
  return PAID_PLANS.flatMap((value) => {
    const offered = plans.find(({ id }) => id === value)
    if (offered === undefined || priceOf(plans, value, chosen.billing) === undefined) return []
    return [{ value, label: PLAN_NAMES[value], text: `${offered.domain_limit} domains` }]
  })
}

/** What the plan costs later, and how it ends. Shown below the button, too. */
export function termsText(
  { plan, billing }: ChosenPlan,
  { cents, currency }: Price,
  beginsAt?: string,
): string {
  const begins = beginsAt === undefined ? new Date() : new Date(beginsAt)
  const renewal = dayText(cycleEnd(begins, billing))
  return `${PLAN_NAMES[plan]} renews on ${renewal} and then every ${CYCLE_UNITS[billing]} for ${amountText(cents, currency)}. Cancel anytime in Settings, Current Plan.`
}

/** On narrow screens, the one line that stands for the summary: it has the total, and opens the rest. */
function SummaryLine({ price: { cents, currency }, isOpen, controls, onToggle }: SummaryLineProps) {
  return (
    <button
      type="button"
      className="checkout-line"
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onToggle}
    >
      <Icon name="expand" size={20} />
      <span>{isOpen ? 'Hide order summary' : 'Show order summary'}</span>
      <span className="checkout-line-total">{amountText(cents, currency)}</span>
    </button>
  )
}

interface SummaryLineProps {
  readonly price: Price
  readonly isOpen: boolean
  /** The id of what it opens. */
  readonly controls: string
  readonly onToggle: () => void
}

export function OrderSummary(props: OrderSummaryProps) {
  const { chosen, price, beginsAt, onChange } = props
  const { plan, billing } = chosen
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <section className="card checkout-summary" aria-labelledby="summary-title">
      <h2 id="summary-title">Order summary</h2>
      <SummaryLine price={price} isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)} />
      <div id={id} className={isOpen ? 'checkout-details' : 'checkout-details is-closed'}>
        <Radios
          legend="Plan"
          className="choices-cards"
          value={plan}
          choices={planChoices(props)}
          onChange={(next) => onChange({ ...chosen, plan: next })}
        />
        <Radios
          legend="Billing"
          className="choices-cards"
          value={billing}
          choices={cycleChoices(props)}
          onChange={(next) => onChange({ ...chosen, billing: next })}
        />
        <dl className="checkout-total" aria-live="polite">
          <div>
            <dt>
              {PLAN_NAMES[plan]}, {CYCLE_NAMES[billing].toLowerCase()}
            </dt>
            <dd>{priceText(price, billing)}</dd>
          </div>
          <div className="checkout-due">
            <dt>{beginsAt === undefined ? 'Due today' : `Due on ${dayText(beginsAt)}`}</dt>
            <dd>{amountText(price.cents, price.currency)}</dd>
          </div>
        </dl>
        <p className="muted">Prices include tax.</p>
        <ul className="checkout-guarantees" aria-label="Guarantees">
          {(beginsAt === undefined ? GUARANTEES : GUARANTEES_LATER).map((line) => (
            <li key={line}>
              <Icon name="check" size={16} />
              {line}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
