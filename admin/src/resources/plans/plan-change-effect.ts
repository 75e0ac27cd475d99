/** What a change of a plan does, in words, before it is made. Pure: the API counts it, this says it. */
import type { AdminPlanPreview } from '../../api/client.ts'
import { count, counted, span } from '../../words.ts'
import { abilityLabel } from './ability-labels.ts'

function accountsEffect(preview: AdminPlanPreview): string {
  const { account_count, changed_account_count } = preview
  if (account_count === 0) return 'No account is on this plan.'
  const accounts = counted(account_count, 'account is', 'accounts are')
  if (changed_account_count === 0) return `${accounts} on this plan; no name of theirs changes.`
  return `${accounts} on this plan; names of ${count(changed_account_count)} change.`
}

function namesEffects({ withheld_count, restored_count }: AdminPlanPreview): string[] {
  const names = (figure: number) => counted(figure, 'name')
  return [
    ...(withheld_count === 0
      ? []
      : [
          `${names(withheld_count)} will be withheld from DNS, of each account the newest. Nothing is deleted; they come back when the plan grows or a place is freed.`,
        ]),
    ...(restored_count === 0 ? [] : [`${names(restored_count)} will be served again.`]),
  ]
}

function figureEffects(preview: AdminPlanPreview): string[] {
  const { domain_limit: limit, ttl, stealth_flag_limit: stealth, ttl_change_count } = preview
  return [
    ...(limit.before === limit.after
      ? []
      : [`The limit becomes ${counted(limit.after, 'name')} instead of ${count(limit.before)}.`]),
    ...(ttl.before === ttl.after
      ? []
      : [
          `Resolvers will keep addresses for ${span(ttl.after)} instead of ${span(ttl.before)}: ${counted(ttl_change_count, 'name')}.`,
        ]),
    ...(stealth.before === stealth.after
      ? []
      : [`Stealth web forwards: ${count(stealth.after)} instead of ${count(stealth.before)}.`]),
  ]
}

function keysEffects({ api_keys, api_key_count, trust_policy_count }: AdminPlanPreview): string[] {
  if (api_keys === 'unchanged') return []
  const what = `${counted(api_key_count, 'API key')} and ${counted(trust_policy_count, 'trust policy', 'trust policies')}`
  return api_keys === 'refused'
    ? [`${what} will be refused from now on. They are kept.`]
    : [`${what} will be accepted again.`]
}

/** What a change of a plan does to the accounts on it, most important first. */
export function planChangeEffects(preview: AdminPlanPreview): readonly string[] {
  const { abilities_gained, abilities_lost } = preview
  const listed = (abilities: readonly string[]) => abilities.map(abilityLabel).join(', ')
  return [
    accountsEffect(preview),
    ...figureEffects(preview),
    ...namesEffects(preview),
    ...(abilities_lost.length === 0 ? [] : [`No longer allowed: ${listed(abilities_lost)}.`]),
    ...(abilities_gained.length === 0 ? [] : [`Allowed from now on: ${listed(abilities_gained)}.`]),
    ...keysEffects(preview),
  ]
}
