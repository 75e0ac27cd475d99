/** The owner stops the renewal, lets it go on, or opens the page of the provider. */
import type { PaymentMessage } from '@homing/openapi'
import type { Services } from '../../compose.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import {
  askProvider,
  configuredProvider,
  refusedForNow,
  requireConfirmed,
} from '../../payments/answer-trouble.ts'
import { canResume } from '../../payments/can-resume.ts'
import { liveSubscription, nextSubscription } from '../../payments/live-subscription.ts'
import type { SubscriptionRow } from '../../payments/rows.ts'
import { subscriptionStatus } from '../../payments/shown-status.ts'
import { resumeRenewal, stopRenewal } from '../../payments/wishes.ts'
import { Refusal } from '../../rules/errors.ts'

const CANCELLED =
  'Your subscription has been cancelled. You will retain access until the end of your billing period.'
const CANCELLED_BEFORE = 'Your subscription has been cancelled before it began. Nothing is charged.'
const CONTINUES = 'Your subscription continues.'
const CONTINUES_UNPAID =
  'Your subscription continues, but its last payment failed. Update your payment method to keep the plan.'

const GONE = new Refusal(
  'conflict',
  'Your subscription was cancelled at the payment provider and cannot be resumed. You can choose a plan again when this one ends.',
)

const ENDED = new Refusal(
  'conflict',
  'The period that you paid for is over, so your subscription cannot be resumed. Choose a plan again.',
)

/** For what calls its provider. @throws Refusal `no-subscription`, `rate-limited` */
export async function requireSubscription(
  services: Services,
  userId: string,
): Promise<SubscriptionRow> {
  return required(services, userId, await liveSubscription(services.knex, userId))
}

async function required(
  services: Services,
  userId: string,
  found: SubscriptionRow | undefined,
): Promise<SubscriptionRow> {
  if (found === undefined) {
    throw new Refusal('no-subscription', 'Your account has no subscription.')
  }
  await requireAllowance(services, 'provider-calls-account', userId)
  return found
}

/** Cancels at the end of the period, or what has not begun. A second call changes nothing. */
export async function cancel(services: Services, userId: string): Promise<PaymentMessage> {
  const { knex } = services
  const live = await liveSubscription(knex, userId)
  const found = await required(services, userId, live ?? (await nextSubscription(knex, userId)))
  await requireConfirmed(found.provider, stopRenewal(services, userId), {
    whenRefused: refusedForNow(found.provider),
  })
  const message = live === undefined ? CANCELLED_BEFORE : CANCELLED
  return { message, status: await subscriptionStatus(knex, userId) }
}

/** Of two subscriptions that follow each other, only one renews. @throws Refusal `conflict` */
async function requireNoSuccessor({ knex }: Services, userId: string): Promise<void> {
  if ((await nextSubscription(knex, userId)) === undefined) return
  throw new Refusal(
    'conflict',
    'Another subscription of yours begins when this one ends, so it cannot be resumed. Cancel to stop the other one first.',
  )
}

export async function resume(services: Services, userId: string): Promise<PaymentMessage> {
  const live = await requireSubscription(services, userId)
  await requireNoSuccessor(services, userId)
  if (live.state === 'canceled' && !canResume(live)) throw GONE
  await requireConfirmed(live.provider, resumeRenewal(services, userId), { whenRefused: GONE })
  const status = await subscriptionStatus(services.knex, userId)
  if (status.status === 'canceled') throw ENDED
  return { message: status.status === 'past_due' ? CONTINUES_UNPAID : CONTINUES, status }
}

/** The page of the provider on which the payment method is changed. */
export async function paymentMethodPage(services: Services, userId: string): Promise<string> {
  const { provider: name, provider_id, customer_id } = await requireSubscription(services, userId)
  const provider = configuredProvider(services.payments, name)
  const back = new URL('/#settings/subscription', services.config.publicUrl)
  return askProvider(name, async () =>
    provider.paymentMethodPage({ providerId: provider_id, customerId: customer_id }, back),
  )
}
