/** Which changes to an account ask the administrator who makes them for a fresh proof of who they are. */
import { requireConfirmed } from '../../credentials/confirmation.ts'
import { changesAdminRole, type AccountStatus } from '../../rules/plans.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'

/** A change to an account, as far as it decides about the proof. Whatever is left out stays as it is. */
export interface AccountChange {
  readonly account: AccountStatus & { readonly id: string }
  readonly after?: AccountStatus
  /** Whether the account gets another address: the reader of its mail can set a password. */
  readonly isMoved?: boolean
}

/**
 * Requires a fresh proof for every change to another administrator's account, and, whoever's account it is,
 * for making somebody an administrator or no longer one and for another address. What always asks for the
 * proof says so in the contract (`stepUp`).
 *
 * @throws Refusal `step-up-required`
 */
export function requireProofFor(
  administrator: SessionPrincipal,
  { account, after = account, isMoved = false }: AccountChange,
  now: Date,
): void {
  const isColleague = account.account_type === 'admin' && account.id !== administrator.account.id
  if (isColleague || isMoved || changesAdminRole(account, after)) requireConfirmed(administrator, now)
}
