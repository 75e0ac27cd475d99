import {
  askProvider,
  configuredProvider,
  DONE_LATER,
  noAnswer,
  NOTHING_DONE,
  refusedRefund,
} from '../../payments/answer-trouble.ts'
import { refundFirstPayment } from '../../payments/refund.ts'
import { subscriptionStatus } from '../../payments/shown-status.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { changePlan, previewChange } from './change-plan.ts'
import { money } from './change-words.ts'
import { createCheckout } from './create-checkout.ts'
import { currentSubscription } from './current-subscription.ts'
import { listInvoices } from './list-invoices.ts'
import { receiveEvent } from './receive-event.ts'
import { refetchReturn } from './refetch-return.ts'
import { cancel, paymentMethodPage, requireSubscription, resume } from './stop-and-resume.ts'

export const paymentHandlers = handlersFor('payments', {
  async createCheckoutSession({ services, principal, body }) {
    const { url, provider } = await createCheckout(services, principal, body)
    return { body: provider === 'paypal' ? { approvalUrl: url } : { checkoutUrl: url } }
  },

  async createSimpleCheckoutSession({ services, principal, body }) {
    const { url } = await createCheckout(services, principal, body)
    return { body: { checkoutUrl: url } }
  },

  async getSubscriptionStatus({ services, principal: { account }, query }) {
    await refetchReturn(services, account.id, query)
    return { body: await subscriptionStatus(services.knex, account.id) }
  },

  async getCurrentSubscription({ services, principal: { account } }) {
    return { body: await currentSubscription(services, account.id) }
  },

  async cancelSubscription({ services, principal: { account } }) {
    return { body: await cancel(services, account.id) }
  },

  async cancelCurrentSubscription({ services, principal: { account } }) {
    return { body: await cancel(services, account.id) }
  },

  async resumeSubscription({ services, principal: { account } }) {
    return { body: await resume(services, account.id) }
  },

  async updatePaymentMethod({ services, principal: { account } }) {
    return { body: { checkoutUrl: await paymentMethodPage(services, account.id) } }
  },

  async createPortalSession({ services, principal: { account } }) {
    return { body: { checkoutUrl: await paymentMethodPage(services, account.id) } }
  },

  async previewSubscriptionChange({ services, principal: { account }, query }) {
    return { body: await previewChange(services, account.id, query) }
  },

  async changeSubscription({ services, principal: { account }, body }) {
    return { body: await changePlan(services, account.id, body) }
  },

  async listInvoices({ services, principal: { account } }) {
    return { body: await listInvoices(services.knex, account.id) }
  },

  async requestRefund({ services, principal: { account } }) {
    const { provider } = await requireSubscription(services, account.id)
    configuredProvider(services.payments, provider)
    let then = NOTHING_DONE
    const onDecided = () => {
      then = DONE_LATER
    }
    const { amountCents, currency, outcome } = await askProvider(
      provider,
      async () => refundFirstPayment(services, account.id, onDecided),
      () => then,
    )
    if (outcome === 'stored') throw noAnswer(provider, DONE_LATER)
    if (outcome === 'refused') throw refusedRefund(provider)
    const message = `Your payment of ${money(amountCents, currency)} is refunded. Your plan is Free now.`
    return { body: { message, amountCents, currency } }
  },

  async receiveStripeEvent({ services, request }) {
    await receiveEvent(services, 'stripe', request)
    return { body: undefined }
  },

  async receivePaypalEvent({ services, request }) {
    await receiveEvent(services, 'paypal', request)
    return { body: undefined }
  },
})
