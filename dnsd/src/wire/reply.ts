import type { ExtendedError } from './edns-options.ts'
import type { Rcode } from './rcode.ts'

/** An RRset and its owner name in the message, which is the queried name for a wildcard. */
export interface PlacedRRset {
  readonly owner: Uint8Array
  readonly rrset: {
    readonly type: number
    readonly ttlSeconds: number
    readonly rdata: readonly Uint8Array[]
  }
}

/** The contents of a message, before it is known whether all of it fits. */
export interface Reply {
  readonly rcode: Rcode
  readonly authoritative: boolean
  readonly answer: readonly PlacedRRset[]
  readonly authority: readonly PlacedRRset[]
  /** Addresses in the additional section that a referral requires (RFC 9471 §3.1). */
  readonly glue: readonly PlacedRRset[]
  /** Optional records, which can be omitted without TC (RFC 2181 §9). */
  readonly additional: readonly PlacedRRset[]
  /** An extended error. Requests with an OPT record get it. */
  readonly extendedError?: ExtendedError | undefined
  /**
   * How many leading octets of the question's name a wildcard matched; undefined without a wildcard.
   */
  readonly inventedOctets?: number
}

/** A reply that has only a code, and optionally a reason. */
export function bareReply(rcode: Rcode, extendedError?: ExtendedError): Reply {
  return {
    rcode,
    authoritative: false,
    answer: [],
    authority: [],
    glue: [],
    additional: [],
    extendedError,
  }
}
