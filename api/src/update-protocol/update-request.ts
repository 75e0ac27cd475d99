/**
 * What an update request asks for, in any dialect: names and addresses. A dialect is a small module
 * that reads parameters into this form and defines how the answer is written. Later steps do not
 * know the dialect.
 */
import type { AnswerForm } from './answer.ts'
import type { Parameters } from './parameters.ts'
import type { CallerAddress, WantedAddresses } from './requested-addresses.ts'
import type { RelatedWish } from './related-wish.ts'
import type { WantedHost } from './requested-names.ts'

export interface UpdateRequest {
  /** In the request's order; empty when no name was given. */
  readonly hosts: readonly WantedHost[]
  /**
   * Undefined when an address is not allowed, or when the request has no address and the caller's address is not known.
   */
  readonly addresses: WantedAddresses | undefined
  /** Addresses for further names; undefined when the request does not mention any. */
  readonly related: RelatedWish | undefined
  readonly wantsWildcard: boolean
  /** A value was readable only after a part of it was removed. */
  readonly isRepaired: boolean
  /** As received, with names in lower case; for the list of received calls. */
  readonly parameters: Parameters
  readonly answers: AnswerForm
}

export interface Dialect {
  readonly name: 'dyndns2' | 'duckdns' | 'dynv6'
  /** Reads a request. It never throws. @param parameters with names in lower case */
  readonly read: (parameters: Parameters, caller: CallerAddress) => UpdateRequest
}
