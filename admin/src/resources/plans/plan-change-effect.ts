/** Describes the effects of a plan change before it is saved. Pure: the API counts the effects. */
import type { AdminPlanPreview } from '../../api/client.ts'
import { count, counted, spanText } from '@homing/theme/formats'
import { abilityLabel } from './ability-labels.ts'
import { intervalEffects } from './interval-effect.ts'
import { recordEffects } from './record-effect.ts'
import { stealthEffects } from './stealth-effect.ts'

function accountsEffect(preview: AdminPlanPreview): string {
  const { account_count, changed_account_count } = preview
  if (account_count === 0) return 'No accounts use this plan.'
  const accounts = counted(account_count, 'account is', 'accounts are')
  if (changed_account_count === 0) return `${accounts} on this plan. Their domains do not change.`
  return `${accounts} on this plan. Accounts whose domains change: ${count(changed_account_count)}.`
}

function namesEffects({ withheld_count, restored_count }: AdminPlanPreview): string[] {
  const domains = (figure: number) => counted(figure, 'domain')
  return [
    ...(withheld_count === 0
      ? []
      : [
          `${domains(withheld_count)} will be withheld from DNS, the newest of each account first. Nothing is deleted. Withheld domains are served again when the plan allows more domains or the account deletes others.`,
        ]),
    ...(restored_count === 0 ? [] : [`${domains(restored_count)} will be served again.`]),
  ]
}

function figureEffects(preview: AdminPlanPreview): string[] {
  const { domain_limit: limit, ttl, ttl_change_count } = preview
  const { stealth_flag_limit: stealth, monitor_interval: interval, record_limit: records } = preview
  return [
    ...(limit.before === limit.after
      ? []
      : [`The domain limit changes from ${count(limit.before)} to ${count(limit.after)}.`]),
    ...(ttl.before === ttl.after
      ? []
      : [
          `The TTL changes from ${spanText(ttl.before)} to ${spanText(ttl.after)} for ${counted(ttl_change_count, 'domain')}.`,
        ]),
    ...recordEffects(records.before, records.after),
    ...stealthEffects(stealth.before, stealth.after),
    ...intervalEffects(interval.before, interval.after),
  ]
}

function keysEffects({ api_keys, api_key_count, trust_policy_count }: AdminPlanPreview): string[] {
  if (api_keys === 'unchanged') return []
  const what = `${counted(api_key_count, 'API key')} and ${counted(trust_policy_count, 'trust policy', 'trust policies')}`
  return api_keys === 'refused'
    ? [`${what} will be refused. They are not deleted.`]
    : [`${what} will be accepted again.`]
}

/** The effects of a plan change on the plan's accounts, the most important first. */
export function planChangeEffects(preview: AdminPlanPreview): readonly string[] {
  const { abilities_gained, abilities_lost } = preview
  const listed = (abilities: readonly string[]) => abilities.map(abilityLabel).join(', ')
  return [
    accountsEffect(preview),
    ...figureEffects(preview),
    ...namesEffects(preview),
    ...(abilities_lost.length === 0 ? [] : [`No longer allowed: ${listed(abilities_lost)}.`]),
    ...(abilities_gained.length === 0 ? [] : [`Newly allowed: ${listed(abilities_gained)}.`]),
    ...keysEffects(preview),
  ]
}
