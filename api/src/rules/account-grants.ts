/**
 * What an account may do is derived: a disabled account is disabled, an administrator is one, and everybody else has the
 * highest plan that was granted. So a payment cannot unblock anybody or demote an administrator, and a subscription that
 * ends takes no plan that an administrator gave.
 */
import type { GrantSource, PaidPlan } from '@homing/openapi/vocabulary'

export type AccountType = 'free' | PaidPlan | 'admin' | 'disabled'

export interface Grant {
  readonly source: GrantSource
  readonly plan: PaidPlan
  /** Null: it does not end by time. */
  readonly until: Date | null
}

/** What `users.account_type` is derived from. */
export interface Standing {
  readonly isAdministrator: boolean
  readonly isDisabled: boolean
  readonly grants: readonly Grant[]
}

/** What an administrator or a payment changes. An omitted grant stays; null removes it. */
export interface StandingChange {
  readonly isAdministrator?: boolean
  readonly isDisabled?: boolean
  readonly grants?: Readonly<Partial<Record<GrantSource, Omit<Grant, 'source'> | null>>>
}

/** The account type that follows from flags and grants. Grants that ended count until they are removed. */
export function accountTypeOf({ isAdministrator, isDisabled, grants }: Standing): AccountType {
  if (isDisabled) return 'disabled'
  if (isAdministrator) return 'admin'
  const plans = grants.map(({ plan }) => plan)
  if (plans.includes('elite')) return 'elite'
  return plans.includes('pro') ? 'pro' : 'free'
}

/** The standing after a change. Grants whose time is over at `now` are gone. */
export function changedStanding(before: Standing, change: StandingChange, now: Date): Standing {
  const changed = Object.entries(change.grants ?? {}) as [
    GrantSource,
    Omit<Grant, 'source'> | null,
  ][]
  const named = new Set(changed.map(([source]) => source))
  const kept = before.grants.filter(({ source }) => !named.has(source))
  const given = changed.flatMap(([source, grant]) =>
    grant === null ? [] : [{ source, plan: grant.plan, until: grant.until }],
  )
  return {
    isAdministrator: change.isAdministrator ?? before.isAdministrator,
    isDisabled: change.isDisabled ?? before.isDisabled,
    grants: [...kept, ...given].filter(({ until }) => until === null || until > now),
  }
}

/**
 * What an administrator means with a new account type: a plan is complimentary, `free` takes the complimentary plan away,
 * and a plan that is paid for stays.
 */
export function changeOfAdministrator(wanted: AccountType): StandingChange {
  if (wanted === 'disabled') return { isDisabled: true }
  if (wanted === 'admin') return { isDisabled: false, isAdministrator: true }
  const complimentary = wanted === 'free' ? null : { plan: wanted, until: null }
  return { isDisabled: false, isAdministrator: false, grants: { complimentary } }
}
