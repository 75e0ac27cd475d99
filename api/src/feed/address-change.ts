/** Requests and verdicts of the coalescer. */
import type { DomainActor } from '@homing/openapi/vocabulary'

/** Who changes a name, from which address and with which client; kept in the name's history. */
export interface Actor {
  readonly kind: DomainActor
  /**
   * Id of the account for a session or password, of the key, token or trust policy, or of the administrator; null for
   * the system.
   */
  readonly id: string | null
  /** Canonical text of an IPv4 or IPv6 address. */
  readonly sourceIp: string | null
  /** The User-Agent, or a substitute. */
  readonly client: string | null
}

/** The client as the owner of the domain sees it: not that of an administrator. */
export const clientForOwner = ({ kind, client }: Actor): string | null =>
  kind === 'administrator' ? null : client

/** The system itself, as a name's history records it. */
export const SYSTEM: Actor = { kind: 'system', id: null, sourceIp: null, client: null }

/** A change of a domain's addresses: an address sets its family, null withdraws it, an omitted family is kept. */
export interface AddressChange {
  readonly domainId: string
  /** The account that must own the domain. */
  readonly userId: string
  /** Canonical text, checked by the caller. */
  readonly ipv4?: string | null | undefined
  /** Canonical text, checked by the caller. */
  readonly ipv6?: string | null | undefined
  /** The version that the caller saw (If-Match); any version when omitted. */
  readonly expectedVersion?: number | undefined
  /** The version at which the caller has just read the name and found a difference. The coalescer then skips its own read. */
  readonly seenVersion?: number | undefined
  /** Whether the name's rate limit applies: `CHANGE_BURST` changes at once, then one in `CHANGE_REFILL_SECONDS`. */
  readonly isThrottled?: boolean
  readonly actor: Actor
}

/** Why a name does not accept updates. A name that its owner paused does accept them. */
export type WithheldReason = 'locked' | 'over_limit' | 'owner_blocked'

/** The rate limit of a name's changes: burst, and seconds until one more is allowed. */
export const CHANGE_BURST = 10
export const CHANGE_REFILL_SECONDS = 10

export type Verdict =
  /** The change is committed and will reach DNS; the domain's new version. */
  | { readonly kind: 'changed'; readonly version: number }
  /** The domain already has these addresses; nothing was written. */
  | { readonly kind: 'unchanged'; readonly version: number }
  /** The domain does not exist or belongs to another account. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'withheld'; readonly reasons: readonly WithheldReason[] }
  | { readonly kind: 'version-mismatch'; readonly version: number }
  /** The name's rate limit is reached. Nothing was stored. */
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  /** A wildcard follows its base: change the base. */
  | { readonly kind: 'wildcard'; readonly baseId: string }

/** Overload: the coalescer's queue is full. Nothing was stored; the caller can retry. */
export class Overloaded extends Error {
  constructor(waiting: number) {
    super(`the queue is full: ${waiting} updates are waiting`)
    this.name = 'Overloaded'
  }
}

/** The update was not confirmed: the database is unreachable, too slow, or refused it; see `cause`. */
export class UpdateNotStored extends Error {
  constructor(cause: unknown) {
    super('the update could not be stored', { cause })
    this.name = 'UpdateNotStored'
  }
}
