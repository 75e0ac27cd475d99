/** Payments: the subscription of the account, its invoices, and the ways to the payment providers. */
import { type components, IDEMPOTENCY_KEY_HEADER } from '@homing/openapi/client'
import {
  BILLING_CYCLES,
  type BillingCycle,
  type BillingField,
  PAID_PLANS,
  type PaidPlan,
} from '@homing/openapi/vocabulary'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { answerOf } from './problem.ts'

type Schemas = components['schemas']

export { BILLING_CYCLES, PAID_PLANS }
export type { BillingCycle, BillingField, PaidPlan }
export type Subscription = Schemas['Subscription']
export type SubscriptionStatus = Schemas['SubscriptionStatus']
export type BillingDetails = Schemas['BillingDetails']
export type NewCheckout = Schemas['NewCheckout']
export type Checkout = Schemas['Checkout']
export type PlanChange = Schemas['PlanChange']
export type PlanChangePreview = Schemas['PlanChangePreview']
export type PlanChangeResult = Schemas['PlanChangeResult']
export type Invoice = Schemas['Invoice']

/** What begins the keys of everything about payments. */
export const PAYMENTS_KEY = 'payments'

export const subscriptionQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: [PAYMENTS_KEY, 'subscription'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/subscription/current', { signal }))).data,
})

export const invoicesQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: [PAYMENTS_KEY, 'invoices'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/payments/invoices', { signal }))).data,
})

/** The ids that a provider appends to the page after the payment. */
export interface PaymentIds {
  readonly session_id?: string
  readonly subscription_id?: string
}

/** The state of the subscription, which the service reads at the provider first. */
export const statusQuery = (ids: PaymentIds) =>
  queryOptions({
    queryKey: [PAYMENTS_KEY, 'status', ids],
    queryFn: async ({ signal }) => {
      const call = api.GET('/api/payments/subscription-status', { params: { query: ids }, signal })
      return (await answerOf(call)).data
    },
  })

export const changePreviewQuery = (change: PlanChange) =>
  queryOptions({
    queryKey: [PAYMENTS_KEY, 'preview', change],
    queryFn: async ({ signal }) => {
      const call = api.GET('/api/payments/change-plan/preview', {
        params: { query: change },
        signal,
      })
      return (await answerOf(call)).data
    },
    // The credit for unused time falls by the second.
    staleTime: 0,
    gcTime: 0,
  })

/**
 * Begins a payment.
 *
 * @param key of a `RepeatableChange`
 * @throws ApiProblem, NetworkFailure
 */
export async function createCheckout(body: NewCheckout, key: string): Promise<Checkout> {
  const params = { header: { [IDEMPOTENCY_KEY_HEADER]: key } }
  return (await answerOf(api.POST('/api/payments/create-checkout-session', { params, body }))).data
}

/** @throws ApiProblem, NetworkFailure */
export async function changePlan(body: PlanChange, key: string): Promise<PlanChangeResult> {
  const params = { header: { [IDEMPOTENCY_KEY_HEADER]: key } }
  return (await answerOf(api.POST('/api/payments/change-plan', { params, body }))).data
}

/** @throws ApiProblem, NetworkFailure */
export const cancelSubscription = async () =>
  (await answerOf(api.POST('/api/payments/cancel-subscription'))).data

/** @throws ApiProblem, NetworkFailure */
export const resumeSubscription = async () =>
  (await answerOf(api.POST('/api/payments/resume-subscription'))).data

/** @returns the page on which the payment method is changed. @throws ApiProblem, NetworkFailure */
export const paymentMethodPage = async () =>
  (await answerOf(api.POST('/api/payments/update-payment-method'))).data.checkoutUrl

/** @throws ApiProblem, NetworkFailure */
export const requestRefund = async () => (await answerOf(api.POST('/api/payments/refund'))).data
