import { Refusal } from '../rules/errors.ts'
import { isBlocked, type AccountStatus } from '../rules/plans.ts'
import type { CallerAccount } from '../caller/principal.ts'

/** Columns of an account `u` with its plan `p`, as every credential query reads them. */
export const ACCOUNT_COLUMNS = `
  u.id as user_id, u.username, u.account_type, u.enabled, u.credential_version, u.has_second_factor,
  p.domain_limit, p.ttl_seconds, p.abilities`

export interface AccountRow {
  readonly user_id: string
  readonly username: string
  readonly account_type: string
  readonly enabled: boolean
  readonly credential_version: number
  readonly has_second_factor: boolean
  readonly domain_limit: number
  readonly ttl_seconds: number
  readonly abilities: readonly string[]
}

/** The refusal of every call of a blocked account. */
export const accountDisabled = () =>
  new Refusal('account-disabled', 'This account is disabled. Please contact support.')

/** @throws Refusal `account-disabled` */
export function requireUsable(row: AccountStatus): void {
  if (isBlocked(row)) throw accountDisabled()
}

/** The caller's account from its row. */
export function callerAccount(row: AccountRow): CallerAccount {
  return {
    id: row.user_id,
    username: row.username,
    accountType: row.account_type,
    hasSecondFactor: row.has_second_factor,
    domainLimit: row.domain_limit,
    ttlSeconds: row.ttl_seconds,
    abilities: new Set(row.abilities),
  }
}
