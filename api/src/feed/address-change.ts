/** What callers of the coalescer say and hear. */

/** Who changes a name, from where and with what; kept in the name's history. */
export interface Actor {
  readonly kind: 'session' | 'api_key' | 'password' | 'update_token' | 'administrator' | 'system'
  /** Of the session's or password's account, of the key or token, of the administrator; null for the system. */
  readonly id: string | null
  /** Canonical text of an IPv4 or IPv6 address. */
  readonly sourceIp: string | null
  /** The User-Agent, or what stands for it. */
  readonly client: string | null
}

/** The system acts, not a person: a name's history says so. */
export const SYSTEM: Actor = { kind: 'system', id: null, sourceIp: null, client: null }

/** A change of a domain's addresses: an address sets its family, null withdraws it, a family left out is kept. */
export interface AddressChange {
  readonly domainId: string
  /** The account that must own the domain. */
  readonly userId: string
  /** Canonical text, checked by the caller. */
  readonly ipv4?: string | null | undefined
  /** Canonical text, checked by the caller. */
  readonly ipv6?: string | null | undefined
  /** The version that the caller saw (If-Match); any version when left out. */
  readonly expectedVersion?: number | undefined
  /** The version at which the caller has just read the name and found that it differs: judging it first would be a read too many. */
  readonly seenVersion?: number | undefined
  /** Whether the name's allowance of changes is asked: `CHANGE_BURST` at once, then one in `CHANGE_REFILL_SECONDS`. */
  readonly isThrottled?: boolean
  readonly actor: Actor
}

/** Why a name takes no update. A name that its owner paused does take them. */
export type WithheldReason = 'locked' | 'over_limit' | 'owner_blocked'

/** Changes that a name takes one after the other, and how long each takes to come back. */
export const CHANGE_BURST = 10
export const CHANGE_REFILL_SECONDS = 10

export type Verdict =
  /** The change is committed and on its way to DNS; the domain's new version. */
  | { readonly kind: 'changed'; readonly version: number }
  /** The domain holds these addresses already; nothing was written. */
  | { readonly kind: 'unchanged'; readonly version: number }
  /** There is no such domain, or it is not this account's. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'withheld'; readonly reasons: readonly WithheldReason[] }
  | { readonly kind: 'version-mismatch'; readonly version: number }
  /** The name's allowance of changes is used up. Nothing was stored. */
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  /** A wildcard follows its base: change that one. */
  | { readonly kind: 'wildcard'; readonly baseId: string }

/** More updates are waiting than the coalescer takes. Nothing was stored; the caller may come back. */
export class Overloaded extends Error {
  constructor(waiting: number) {
    super(`the queue is full: ${waiting} updates are waiting`)
    this.name = 'Overloaded'
  }
}

/** The update was not confirmed: the database is away, too slow, or refused it; `cause` says which. */
export class UpdateNotStored extends Error {
  constructor(cause: unknown) {
    super('the update could not be stored', { cause })
    this.name = 'UpdateNotStored'
  }
}
