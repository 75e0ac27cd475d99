/**
 * The authenticated caller. `plugins/auth.ts` determines it for each request, with the account's current plan.
 */
import type { Access } from '@homing/openapi'
import type { KeyLimits, Reach } from '../rules/key-scope.ts'

/** The caller's account, read with its plan at each request. */
export interface CallerAccount {
  readonly id: string
  readonly username: string
  readonly accountType: string
  /** Whether signing in needs a second factor. */
  readonly hasSecondFactor: boolean
  readonly domainLimit: number
  readonly ttlSeconds: number
  readonly abilities: ReadonlySet<string>
}

export interface SessionPrincipal {
  readonly kind: 'session'
  readonly sessionId: string
  /** Digest of the token that the call sent: the session's current token or its previous one. */
  readonly tokenDigest: string
  /** When the user last confirmed their identity; null for sessions older than this field. */
  readonly confirmedAt: Date | null
  readonly account: CallerAccount
}

export interface KeyPrincipal {
  readonly kind: 'api_key'
  readonly keyId: string
  /** The trust policy for which the key was issued; null for keys that users create. */
  readonly policyId: string | null
  readonly limits: KeyLimits
  readonly account: CallerAccount
}

export type Principal = SessionPrincipal | KeyPrincipal

/** A key in the history of domains. The keys of a pipeline live for minutes, so its policy stands for them. */
export const keyActor = ({
  keyId,
  policyId,
}: Pick<KeyPrincipal, 'keyId' | 'policyId'>): { kind: 'api_key' | 'pipeline'; id: string } =>
  policyId === null ? { kind: 'api_key', id: keyId } : { kind: 'pipeline', id: policyId }

/** The names that a caller can access. */
export function reachOf(principal: Principal): Reach {
  const scope = principal.kind === 'api_key' ? (principal.limits.scope ?? undefined) : undefined
  return { userId: principal.account.id, scope }
}

/**
 * Whether the caller is signed in as an administrator. API keys never have this power, even an
 * administrator's.
 */
export const actsAsAdministrator = ({ kind, account }: Principal): boolean =>
  kind === 'session' && account.accountType === 'admin'

export type PrincipalOf<A extends Access> = A extends 'session' | 'administrator'
  ? SessionPrincipal
  : A extends 'caller'
    ? Principal
    : undefined
