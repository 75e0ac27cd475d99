import type { AdminPlan } from '../../api/client.ts'

type PlanName = AdminPlan['id']

export const PLAN_LABELS: Readonly<Record<PlanName, string>> = {
  free: 'Free',
  pro: 'Pro',
  elite: 'Elite',
  admin: 'Administrator',
  disabled: 'Disabled',
}

/** In the order in which they are offered. */
export const PLAN_CHOICES = (Object.keys(PLAN_LABELS) as PlanName[]).map((value) => ({
  value,
  label: PLAN_LABELS[value],
}))
