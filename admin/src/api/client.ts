/**
 * The typed client of the contract. The browser sends the session cookie.
 */
import { type components, createApiClient } from '@homing/openapi/client'
import { confirmingFetch } from './confirmation.ts'

/** The API has the same origin as the page. */
export const ORIGIN = globalThis.location?.origin ?? 'http://localhost'

export const api = createApiClient({
  baseUrl: ORIGIN,
  credentials: 'same-origin',
  fetch: confirmingFetch,
})

export type Account = components['schemas']['Me']
export type Problem = components['schemas']['Problem']
export type AdminUser = components['schemas']['AdminUser']
export type AdminUserChange = components['schemas']['AdminUserChange']
export type AdminPlan = components['schemas']['AdminPlan']
export type AdminPlanChange = components['schemas']['AdminPlanChange']
export type AdminPlanPreview = components['schemas']['AdminPlanPreview']
/** The effects of a change on one account. */
export type UserPlanPreview = components['schemas']['PlanPreview']
export type AdminDomain = components['schemas']['AdminDomain']
export type LockedName = components['schemas']['LockedName']
export type BlockedTarget = components['schemas']['BlockedTarget']
export type NewBlockedTarget = components['schemas']['NewBlockedTarget']
export type AdminWebForward = components['schemas']['AdminWebForward']
export type AdminOwnZone = components['schemas']['AdminOwnZone']
export type AdminRecord = components['schemas']['AdminRecord']
export type AdminMonitor = components['schemas']['AdminMonitor']
export type QueriesOfService = components['schemas']['QueriesOfService']
export type MonitoringStatus = components['schemas']['MonitoringStatus']
export type MonitoringPause = components['schemas']['MonitoringPause']
export type WebForwardModeration = components['schemas']['WebForwardModeration']
export type AdminSubscription = components['schemas']['AdminSubscription']
export type AdminPaymentEvent = components['schemas']['AdminPaymentEvent']
export type AdminLedgerEntry = components['schemas']['AdminLedgerEntry']
export type AdminRefund = components['schemas']['AdminRefund']
export type AdminLedgerTotal = components['schemas']['AdminLedgerTotal']
export type TaxRate = components['schemas']['TaxRate']
export type TaxRateTerms = components['schemas']['TaxRateTerms']
