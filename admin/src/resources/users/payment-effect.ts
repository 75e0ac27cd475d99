/** Describes what a change to an account means for what was paid. Pure: the API makes the change. */
import type { AdminSubscription, AdminUserChange, UserPlanPreview } from '../../api/client.ts'
import { PLAN_LABELS } from '../plans/plan-labels.ts'

/** The properties of a subscription that the description needs. */
export type PaidPlan = Pick<AdminSubscription, 'plan'>

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
