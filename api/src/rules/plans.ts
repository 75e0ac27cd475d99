/** What an account's plan allows. The numbers are in the `plans` table; this module evaluates them. */
import type { PlanAbility } from '@homing/openapi/vocabulary'
import { Refusal } from './errors.ts'

/** An account's abilities. Each request reads them with the plan. */
export interface Abilities {
  readonly abilities: ReadonlySet<string>
}

/** The fields that decide whether an account is blocked and whether it is an administrator's. */
export interface AccountStatus {
  readonly account_type: string
  readonly enabled: boolean
}

/** Whether an account is blocked. */
export function isBlocked({ account_type, enabled }: AccountStatus): boolean {
  return !enabled || account_type === 'disabled'
}

/** Whether a change grants or removes the administrator role. */
export function changesAdminRole(before: AccountStatus, after: AccountStatus): boolean {
  return (before.account_type === 'admin') !== (after.account_type === 'admin')
}

/**
 * Whether a change ends the account's sessions and cached password checks (docs/design.md "Identity").
 */
export function endsCredentials(before: AccountStatus, after: AccountStatus): boolean {
  const becameBlocked = !isBlocked(before) && isBlocked(after)
  return becameBlocked || changesAdminRole(before, after)
}

export interface DomainLimit {
  /** Maximum number of domains of the plan. Wildcards do not count. */
  readonly domainLimit: number
}

/** Whether the plan has an ability. */
export function planAllows({ abilities }: Abilities, ability: PlanAbility): boolean {
  return abilities.has(ability)
}

/**
 * Refuses what the plan does not include.
 *
 * @param what the requested feature, in the user's words: `Wildcards`
 * @throws Refusal `plan-required`
 */
export function requireAbility(plan: Abilities, ability: PlanAbility, what: string): void {
  if (planAllows(plan, ability)) return
  throw planRequired(what)
}

/** @param what the requested feature, in the user's words: `Wildcards` */
export function planRequired(what: string): Refusal {
  const [verb, object] = what.endsWith('s') ? ['are', 'them'] : ['is', 'it']
  return new Refusal(
    'plan-required',
    `${what} ${verb} not included in your plan. To use ${object}, choose a larger plan.`,
  )
}

/**
 * Refuses a domain beyond the plan's limit. The caller holds the account's lock until it has
 * inserted the domain.
 *
 * @param owned how many domains the account has, without wildcards, with withheld ones
 * @throws Refusal `domain-limit`
 */
export function requireFreePlace({ domainLimit }: DomainLimit, owned: number): void {
  if (owned < domainLimit) return
  throw new Refusal(
    'domain-limit',
    domainLimit === 0
      ? 'Your plan does not include any domains.'
      : `Your plan includes ${domainLimit} domains and you have ${owned}. Delete a domain, or choose a larger plan.`,
  )
}
