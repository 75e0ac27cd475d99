/** What a mail about a subscription names, read when it is written. */
import type { BillingCycle } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { PaymentFacts } from '../integrations/mails/payment.ts'
import type { PaymentMail } from '../queue/payment-mail.ts'
import { canResume } from './can-resume.ts'
import type { SubscriptionRow } from './rows.ts'

interface Row {
  readonly plan: string
  readonly billing: BillingCycle
  readonly amount_cents: number
  readonly currency: string
  readonly ends_at: Date | null
  readonly period_end: Date | null
  readonly stopped_by: SubscriptionRow['stopped_by']
  readonly state: SubscriptionRow['state']
  readonly provider: SubscriptionRow['provider']
  readonly provider_status: string
  readonly payment_method: string | null
  readonly end_reason: string | null
  readonly next_plan: string | null
  readonly next_billing: BillingCycle | null
  readonly number: string | null
  readonly total_cents: number | null
  readonly invoice_currency: string | null
}

const FACTS = `
  select p.plan, p.billing, coalesce(n.amount_cents, p.amount_cents) as amount_cents, p.currency, s.ends_at, s.period_end,
         s.stopped_by, s.state, s.provider, s.provider_status, s.payment_method, s.end_reason, n.plan as next_plan, n.billing as next_billing,
         i.number, i.total_cents, i.currency as invoice_currency
  from subscriptions s join plan_prices p on p.id = s.price_id left join plan_prices n on n.id = s.next_price_id
  left join invoices i on i.id = ?::bigint
  where s.id = ?::bigint and s.user_id = ?::bigint`

/** An amount for people: `$110.00`. */
function moneyText(cents: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(Math.abs(cents) / 100)
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const dayText = (at: Date | null) => (at === null ? null : DAY.format(at))
const planText = ({ plan, billing }: Pick<Row, 'plan' | 'billing'>) =>
  `${plan.charAt(0).toUpperCase()}${plan.slice(1)}, ${billing}`

const nextPlanText = ({ next_plan: plan, next_billing: billing }: Row) =>
  plan === null || billing === null ? null : planText({ plan, billing })

/** Undefined: the subscription no longer belongs to the account. */
export async function mailFacts(
  knex: Knex,
  { userId, subscriptionId, invoiceId }: PaymentMail,
  supportEmail: string,
): Promise<PaymentFacts | undefined> {
  const [row] = await query<Row>(knex, FACTS, [invoiceId, subscriptionId, userId])
  if (row === undefined) return undefined
  const cents = row.total_cents ?? row.amount_cents
  const renews = row.stopped_by === null && row.state !== 'ended'
  return {
    plan: planText(row),
    amount: moneyText(cents, row.invoice_currency ?? row.currency),
    number: row.number,
    endsOn: dayText(row.ends_at),
    renewsOn: renews ? dayText(row.period_end) : null,
    nextPlan: nextPlanText(row),
    canResume: canResume(row),
    paymentMethod: row.payment_method,
    supportEmail,
    endReason: row.end_reason,
  }
}
