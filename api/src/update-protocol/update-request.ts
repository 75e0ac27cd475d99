/**
 * What an update request asks for, whatever its dialect: which names, and which addresses.
 * A dialect is one small module that reads parameters into this form and says how the
 * answer is written; nothing behind this form knows which one it was.
 */
import type { AnswerForm } from './answer.ts'
import type { Parameters } from './parameters.ts'
import type { CallerAddress, WantedAddresses } from './requested-addresses.ts'
import type { RelatedWish } from './related-wish.ts'
import type { WantedHost } from './requested-names.ts'

export interface UpdateRequest {
  /** In the order of the request; none at all when no name was given. */
  readonly hosts: readonly WantedHost[]
  /** Undefined: an address was given that names may not have, or none and the caller's is not known. */
  readonly addresses: WantedAddresses | undefined
  /** What further names shall have; undefined where nothing was said of them. */
  readonly related: RelatedWish | undefined
  readonly wantsWildcard: boolean
  /** Something could only be read by leaving a part of it away. */
  readonly isRepaired: boolean
  /** As they came, with names in lower case; for the list of received calls. */
  readonly parameters: Parameters
  readonly answers: AnswerForm
}

export interface Dialect {
  readonly name: 'dyndns2' | 'duckdns' | 'dynv6'
  /** Reads a request; it never throws. @param parameters with names in lower case */
  readonly read: (parameters: Parameters, caller: CallerAddress) => UpdateRequest
}
