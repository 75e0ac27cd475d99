/** Joins the changes of two administrators to a plan. Pure. */
import { PLAN_ABILITIES } from '@homing/openapi/client'
import { count, enumeration } from '@homing/theme/formats'
import type { AdminPlan, AdminPlanChange } from '../../api/client.ts'
import { changedFields } from '../../dataProvider.ts'
import { conflictText } from '../../layout/conflict.ts'
import { abilityLabel } from './ability-labels.ts'

/** The labels of the fields, as the form shows them. */
export const FIELD_LABELS = {
  domain_limit: 'Domain limit',
  ttl: 'TTL in seconds',
  record_limit: 'Record limit',
  stealth_flag_limit: 'Stealth web forwards',
  monitor_interval: 'Monitor interval in seconds',
  abilities: 'Features',
} as const satisfies Record<keyof AdminPlanChange, string>

function valueText(value: number | readonly string[]): string {
  if (typeof value === 'number') return count(value)
  return value.length === 0 ? 'nothing' : enumeration(value.map(abilityLabel))
}

/** What another administrator changed. */
export function planConflictText(before: AdminPlan, present: AdminPlan): string {
  const changes: AdminPlanChange = changedFields('plans', { data: present, previousData: before })
  const opening = 'Another administrator changed the plan in the meantime.'
  return conflictText({ opening, labels: FIELD_LABELS, changes, valueText })
}

/** Own changes on top of the present plan. Of the features, only those that were ticked or cleared change. */
export function onTopOf(
  present: AdminPlan,
  before: AdminPlan,
  change: AdminPlanChange,
): AdminPlanChange {
  const { abilities } = change
  if (abilities === undefined) return change
  const isOwn = (ability: string) =>
    abilities.some((each) => each === ability) !== before.abilities.includes(ability)
  const isWanted = (ability: string) =>
    (isOwn(ability) ? abilities : present.abilities).some((each) => each === ability)
  return { ...change, abilities: PLAN_ABILITIES.filter(isWanted) }
}
