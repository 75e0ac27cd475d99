/**
 * Changes of plan. A larger plan begins at once; a smaller one, and monthly instead of annual payment, with the next
 * period. Stripe prorates. PayPal does not, so a larger plan there is a new subscription that the owner approves, and
 * that takes its first payment when the unused time of the old one is used up.
 */
import type { PlanChange, PlanChangePreview, PlanChangeResult } from '@homing/openapi'
import { randomUUID } from 'node:crypto'
import type { Services } from '../../compose.ts'
import { accountTypeAfter } from '../../feed/account-grants.ts'
import { previewPlan } from '../../feed/plan-preview.ts'
import { askProvider, configuredProvider } from '../../payments/answer-trouble.ts'
import { currentPrice, priceToSell } from '../../payments/prices.ts'
import { type PaymentProvider, ProviderTrouble } from '../../payments/provider.ts'
import { type Price, priceById, priceIdAt, type SubscriptionRow } from '../../payments/rows.ts'
import { subscriptionStatus } from '../../payments/shown-status.ts'
import { syncSubscription } from '../../payments/sync.ts'
import { type Credit, unusedCredit } from '../../payments/unused-credit.ts'
import { Refusal } from '../../rules/errors.ts'
import { beginCheckout, emailOf, returnPages } from './create-checkout.ts'
import { type ChangeKind, changeKind, changedNow, changedThen, planName } from './change-words.ts'
import { requireSubscription } from './stop-and-resume.ts'

interface Change {
  readonly row: SubscriptionRow
  readonly provider: PaymentProvider
  readonly from: Price
  readonly to: Price
  readonly kind: ChangeKind
  readonly when: 'now' | 'period-end'
  /** Set for a provider that does not prorate: the change is a new subscription. */
  readonly credit: Credit | null
}

const NOT_NOW: Readonly<Record<string, string>> = {
  canceled: 'Your subscription is cancelled. Resume it before you change its plan.',
  past_due: 'A payment failed. Update your payment method before you change your plan.',
  disputed: 'A payment is disputed. Please contact support.',
}

/** @throws Refusal `no-subscription`, `conflict`, `payments-unavailable` */
async function changeOf(services: Services, userId: string, wish: PlanChange): Promise<Change> {
  const { knex, now } = services
  const row = await requireSubscription(services, userId)
  const obstacle = NOT_NOW[row.state]
  if (obstacle !== undefined) throw new Refusal('conflict', obstacle)
  const provider = configuredProvider(services.payments, row.provider)
  const from = await priceById(knex, row.price_id)
  const to = await currentPrice(knex, wish)
  const { kind, when } = changeKind(from, to)
  const paidUntil = row.paid_until ?? row.period_end
  const isBoughtAnew = row.provider === 'paypal' && when === 'now' && kind !== 'unchanged'
  const credit =
    isBoughtAnew && paidUntil !== null ? unusedCredit({ paidUntil, now: now() }, from, to) : null
  return { row, provider, from, to, kind, when, credit }
}

/** Domains that DNS would stop serving with the plan. */
async function withheldDomains(services: Services, userId: string, { to }: Change) {
  const { knex, now } = services
  const payment = { plan: to.plan, until: null }
  const accountType = await accountTypeAfter(knex, userId, { grants: { payment } }, now())
  const preview = await previewPlan(knex, userId, { accountType })
  return preview?.withheld.length ?? 0
}

async function costs(services: Services, { row, provider, to, kind, when, credit }: Change) {
  const { currency, amount_cents: nextPaymentCents } = to
  const periodEnd = row.period_end ?? row.paid_until ?? services.now()
  if (kind === 'unchanged') {
    return { dueNowCents: 0, creditCents: 0, nextPaymentCents, nextPaymentAt: periodEnd, currency }
  }
  if (credit !== null) {
    const { cents: creditCents, usedUpAt: nextPaymentAt } = credit
    return { dueNowCents: 0, creditCents, nextPaymentCents, nextPaymentAt, currency }
  }
  return askProvider(provider.name, async () => {
    const priceProviderId = await priceToSell(services.knex, provider, to)
    return provider.previewChange({ subscriptionId: row.provider_id, priceProviderId, when })
  })
}

/** What a change would cost, and when it would happen. Changes nothing. */
export async function previewChange(
  services: Services,
  userId: string,
  wish: PlanChange,
): Promise<PlanChangePreview> {
  const change = await changeOf(services, userId, wish)
  const { row, kind, when } = change
  const { nextPaymentAt, ...amounts } = await costs(services, change)
  const at = when === 'now' ? services.now() : (row.period_end ?? row.paid_until ?? nextPaymentAt)
  return {
    kind,
    takesEffect: when,
    takesEffectAt: at.toISOString(),
    ...amounts,
    nextPaymentAt: nextPaymentAt.toISOString(),
    withheldDomains: await withheldDomains(services, userId, change),
    needsApproval: row.provider === 'paypal' && (kind !== 'unchanged' || takesBack(change)),
  }
}

/** Reads the result. Trouble is not an error any more: the change was made, and its event comes later. */
async function readAfter(services: Services, { row }: Change): Promise<void> {
  try {
    await syncSubscription(services, row.provider, row.provider_id)
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
  }
}

/** Whether the choice of the present plan takes back a change that has not begun. */
const takesBack = ({ row, kind }: Pick<Change, 'row' | 'kind'>) =>
  kind === 'unchanged' && row.next_price_id !== null

async function takeBack(services: Services, { row, provider, from }: Change, key: string) {
  const at = { provider: row.provider, realm: provider.realm }
  const priceProviderId = await priceIdAt(services.knex, at, row.price_id)
  if (priceProviderId === undefined) {
    throw new Refusal('payments-unavailable', 'Your present plan is not for sale at the moment.')
  }
  const pages = returnPages(services.config.publicUrl, provider.name, from)
  const present = { subscriptionId: row.provider_id, priceProviderId, pages }
  return (await provider.forgetChange(present, key)).confirmUrl
}

async function changeAtProvider(services: Services, change: Change): Promise<string | null> {
  const { row, provider, to, kind, when } = change
  return askProvider(
    provider.name,
    async () => {
      const key = `change-${randomUUID()}`
      if (kind === 'unchanged') {
        const confirmUrl = takesBack(change) ? await takeBack(services, change, key) : null
        await readAfter(services, change)
        return confirmUrl
      }
      const { confirmUrl } = await provider.changePrice(
        {
          subscriptionId: row.provider_id,
          priceProviderId: await priceToSell(services.knex, provider, to),
          when,
          pages: returnPages(services.config.publicUrl, provider.name, to),
        },
        key,
      )
      await readAfter(services, change)
      return confirmUrl
    },
    () => 'Check your subscription in a minute before you try again.',
  )
}

function messageOf({ row, to, kind, when }: Change, confirmUrl: string | null): string {
  if (confirmUrl !== null)
    return kind === 'unchanged'
      ? 'Confirm at the payment provider that you keep your plan. This cancels the scheduled change.'
      : 'Confirm the change at the payment provider. Your plan changes then.'
  if (kind === 'unchanged') return `Your plan stays ${planName(to)}.`
  return when === 'now' ? changedNow(to, kind) : changedThen(to, row.period_end ?? row.paid_until)
}

/** Changes the plan, or begins to. */
export async function changePlan(
  services: Services,
  userId: string,
  wish: PlanChange,
): Promise<PlanChangeResult> {
  const change = await changeOf(services, userId, wish)
  const { row, to, credit } = change
  const checkoutUrl =
    credit === null
      ? await changeAtProvider(services, change)
      : await beginCheckout(services, {
          userId,
          email: await emailOf(services.knex, userId),
          wish: { plan: to.plan, billing: to.billing, provider: row.provider, payer: null },
          price: to,
          purpose: { kind: 'change', replacesId: row.id, startsAt: credit.usedUpAt },
        })
  return {
    message: messageOf(change, checkoutUrl),
    checkoutUrl,
    status: await subscriptionStatus(services.knex, userId),
  }
}
