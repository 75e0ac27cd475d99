/** Who calls: found by `plugins/auth.ts` for each request, with the account's plan as it is at that moment. */
import type { Access } from '@homing/openapi'
import type { KeyLimits, Reach } from '../rules/key-scope.ts'

/** The account behind a call, read with its plan at each request. */
export interface CallerAccount {
  readonly id: string
  readonly username: string
  readonly accountType: string
  /** Whether signing in takes more than the password. */
  readonly hasSecondFactor: boolean
  readonly domainLimit: number
  readonly ttlSeconds: number
  readonly abilities: ReadonlySet<string>
}

export interface SessionPrincipal {
  readonly kind: 'session'
  readonly sessionId: string
  /** Of the token that the call came with: the session's present one, or the one before it. */
  readonly tokenDigest: string
  /** When the person last proved who they are; null: before that was noted. */
  readonly confirmedAt: Date | null
  readonly account: CallerAccount
}

export interface KeyPrincipal {
  readonly kind: 'api_key'
  readonly keyId: string
  readonly limits: KeyLimits
  readonly account: CallerAccount
}

export type Principal = SessionPrincipal | KeyPrincipal

/** The names that a caller reaches. */
export function reachOf(principal: Principal): Reach {
  const scope = principal.kind === 'api_key' ? (principal.limits.scope ?? undefined) : undefined
  return { userId: principal.account.id, scope }
}

/** Whether somebody signed in as an administrator: keys have no such power, whoever's they are. */
export const actsAsAdministrator = ({ kind, account }: Principal): boolean =>
  kind === 'session' && account.accountType === 'admin'

export type PrincipalOf<A extends Access> = A extends 'session' | 'administrator'
  ? SessionPrincipal
  : A extends 'caller'
    ? Principal
    : undefined
