/** Describes what a change to an account means for what was paid. Pure: the API makes the change. */
import { dayText } from '@homing/theme/formats'
import type { AdminSubscription, AdminUserChange, UserPlanPreview } from '../../api/client.ts'
import { PLAN_LABELS } from '../plans/plan-labels.ts'

/** The properties of a subscription that the description needs. */
export type PaidPlan = Pick<AdminSubscription, 'plan' | 'state' | 'period_end'>

/** A plan that is paid for, or on trial, stays: the account has the largest of its plans. */
export function stayingPlanEffects(
  chosen: AdminUserChange['account_type'],
  { from, to }: Pick<UserPlanPreview, 'from' | 'to'>,
  paid: PaidPlan | undefined,
): string[] {
  if (chosen === undefined || chosen === to) return []
  const [wanted, label] = [PLAN_LABELS[chosen], PLAN_LABELS[to]]
  const why = paid?.plan === to ? 'it is paid for' : 'it is paid for or on trial'
  const result =
    from === to
      ? `The plan stays ${label}, because ${why}.`
      : `The plan becomes ${label} and not ${wanted}, because ${why}.`
  return chosen === 'free'
    ? [result, 'If the account has a complimentary plan, that plan is removed.']
    : [result, `${wanted} becomes the complimentary plan, which stays when ${label} ends.`]
}

/** A closed account is not charged again. */
export function endOfRenewalEffects(paid: PaidPlan | undefined): string[] {
  if (paid === undefined || paid.state === 'canceled') return []
  // When a payment is late or disputed, the API determines the end.
  if (paid.state !== 'active' || paid.period_end === null) {
    return ['The subscription is not renewed.']
  }
  return [`The subscription is not renewed: it ends on ${dayText(paid.period_end)}.`]
}

/** An account that is opened again does not resume its subscription. */
export const renewalStaysEndedEffects = (paid: PaidPlan | undefined): string[] =>
  paid === undefined ? [] : ['The subscription stays cancelled. Only its owner can resume it.']
