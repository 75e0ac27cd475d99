/** What an account's plan lets it do. The numbers live in the `plans` table; here are the questions that are asked of it. */
import type { PlanAbility } from '@homing/openapi/vocabulary'
import { Refusal } from './errors.ts'

/** An account's abilities, read with its plan at each request. */
export interface Abilities {
  readonly abilities: ReadonlySet<string>
}

/** What decides whether an account may do anything, and whether it is an administrator's. */
export interface AccountStatus {
  readonly account_type: string
  readonly enabled: boolean
}

/** Whether an account may do nothing at all. */
export function isBlocked({ account_type, enabled }: AccountStatus): boolean {
  return !enabled || account_type === 'disabled'
}

/** Whether somebody becomes an administrator, or is none any more. */
export function changesAdminRole(before: AccountStatus, after: AccountStatus): boolean {
  return (before.account_type === 'admin') !== (after.account_type === 'admin')
}

/** Whether a change ends the account's sessions and remembered passwords (docs/design.md "Identity"). */
export function endsCredentials(before: AccountStatus, after: AccountStatus): boolean {
  const becameBlocked = !isBlocked(before) && isBlocked(after)
  return becameBlocked || changesAdminRole(before, after)
}

export interface DomainLimit {
  /** Most names that the plan serves; wildcards count towards no limit. */
  readonly domainLimit: number
}

/** Whether the plan holds an ability. */
export function planAllows({ abilities }: Abilities, ability: PlanAbility): boolean {
  return abilities.has(ability)
}

/**
 * Stops what the plan does not hold.
 *
 * @param what the thing that was asked for, as the person knows it: `Wildcards`
 * @throws Refusal `plan-required`
 */
export function requireAbility(plan: Abilities, ability: PlanAbility, what: string): void {
  if (planAllows(plan, ability)) return
  throw planRequired(what)
}

/** @param what the thing that was asked for, as the person knows it: `Wildcards` */
export function planRequired(what: string): Refusal {
  return new Refusal(
    'plan-required',
    `${what} are not included in your plan. To use them, choose a larger plan.`,
  )
}

/**
 * Stops one name too many. The caller holds the account's lock until it has inserted the name.
 *
 * @param owned how many names the account has, wildcards left out, withheld ones counted
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
