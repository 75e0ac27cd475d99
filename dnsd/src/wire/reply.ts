import type { ExtendedError } from './edns-options.ts'
import type { Rcode } from './rcode.ts'

/** An RRset and the name it stands under in the message, which is the asked one for a wildcard. */
export interface PlacedRRset {
  readonly owner: Uint8Array
  readonly rrset: {
    readonly type: number
    readonly ttlSeconds: number
    readonly rdata: readonly Uint8Array[]
  }
}

/** What a message is to say, before it is known whether all of it fits. */
export interface Reply {
  readonly rcode: Rcode
  readonly authoritative: boolean
  readonly answer: readonly PlacedRRset[]
  readonly authority: readonly PlacedRRset[]
  /** Addresses in the additional section without which a referral is of no use (RFC 9471 §3.1). */
  readonly glue: readonly PlacedRRset[]
  /** What may be left out without a word (RFC 2181 §9). */
  readonly additional: readonly PlacedRRset[]
  /** What the code alone does not say; those who sent an OPT record get it. */
  readonly extendedError?: ExtendedError | undefined
  /** How much of the question's name a wildcard stood in for, from its left; none when undefined. */
  readonly inventedOctets?: number
}

/** A reply that says nothing but its code, and perhaps why. */
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
