import type { AdminPlan } from '../../api/client.ts'

type PlanName = AdminPlan['id']

export const PLAN_LABELS: Readonly<Record<PlanName, string>> = {
  free: 'Free',
  pro: 'Pro',
  elite: 'Elite',
  admin: 'Administrator',
  disabled: 'Disabled',
}

/** The plans in the order of the selection list. */
export const PLAN_CHOICES = (Object.keys(PLAN_LABELS) as PlanName[]).map((value) => ({
  value,
  label: PLAN_LABELS[value],
}))
