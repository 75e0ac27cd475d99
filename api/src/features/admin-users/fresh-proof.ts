/** Decides which changes to an account require a fresh proof of the administrator's identity. */
import { requireConfirmed } from '../../credentials/confirmation.ts'
import { changesAdminRole, type AccountStatus } from '../../rules/plans.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'

/** The parts of a change that matter for this decision. Omitted fields stay unchanged. */
export interface AccountChange {
  readonly account: AccountStatus & { readonly id: string }
  readonly after?: AccountStatus
  /** Whether the account gets another address: the reader of its mail can set a password. */
  readonly isMoved?: boolean
}

/**
 * Requires a fresh proof for every change to another administrator's account. For any account, it requires
 * one for a new address, and for granting or removing the administrator role. Operations that always
 * require the proof say so in the contract (`stepUp`).
 *
 * @throws Refusal `step-up-required`
 */
export function requireProofFor(
  administrator: SessionPrincipal,
  { account, after = account, isMoved = false }: AccountChange,
  now: Date,
): void {
  const isColleague = account.account_type === 'admin' && account.id !== administrator.account.id
  if (isColleague || isMoved || changesAdminRole(account, after))
    requireConfirmed(administrator, now)
}
