/** What the rest of the service asks of a walk, and what it gets. */
import type { DelegationCheck } from '@homing/openapi'

/** A name server to which the parent zone must delegate. */
export interface ExpectedServer {
  /** In lower case, without the final dot. */
  readonly hostname: string
  readonly ipv4: string
  readonly ipv6?: string | null | undefined
}

export interface DelegationRequest {
  /** The domain: ASCII, in lower case, without the final dot. */
  readonly domain: string
  readonly nameservers: readonly ExpectedServer[]
  /** Further name servers that the parent zone may name, such as the one that proves the ownership. */
  readonly ownershipNames?: readonly string[]
  /** Ends the wait and the walk. */
  readonly signal?: AbortSignal
}

/** What a walk found: the check to show, and the facts on which a proof of ownership depends. */
export interface DelegationFindings {
  readonly check: DelegationCheck
  /**
   * Whether the parent zone names a name server of ours, by its name or by one of its addresses. Undefined: it is not
   * known, because servers did not answer. Do not take that for false.
   */
  readonly isDelegatedToUs: boolean | undefined
  /** The name servers that every parent server that answered names, in lower case, without the final dot. */
  readonly parentNs: readonly string[]
  /**
   * The texts of the TXT records at `_homing-verify.<domain>` on which all the domain's authoritative servers agree that
   * answered and are not ours. Empty: there is no such text. Undefined: it is not known, or all the servers are ours.
   */
  readonly txt: readonly string[] | undefined
}

export { OWNERSHIP_LABEL } from '../rules/ownership.ts'

/** The only way to check delegations. */
export interface DelegationChecks {
  /**
   * Walks from the root to the domain's parent zone. Takes 5 seconds at most, after the wait for its turn.
   *
   * @throws DelegationChecksBusy when too many walks wait already; the reason of `signal`
   */
  check(request: DelegationRequest): Promise<DelegationFindings>
}

/** Too many walks wait for their turn in this process. */
export class DelegationChecksBusy extends Error {
  constructor() {
    super('Too many delegation checks are waiting. Try again in a minute.')
    this.name = 'DelegationChecksBusy'
  }
}
