/** What a check of propagation is about, and what a name server answered. */
import type { DnsAnswer } from '@homing/dnsd/client'
import type { PropagationState } from '@homing/openapi/vocabulary'

/** One address of a name server; without an address, the service does not know where to ask. */
export interface ZoneServer {
  /** In lower case, without the final dot. */
  readonly hostname: string
  readonly address: string | null
}

/** What the name servers should answer. */
export interface Expected {
  /** The apex and the domain: ASCII, in lower case, without the final dot. */
  readonly zone: string
  readonly fqdn: string
  /** Of the SOA record. */
  readonly serial: number
  /** The addresses that the domain publishes, in canonical form. */
  readonly addresses: readonly string[]
}

/** The answers of a server to the three questions. */
export interface Answered {
  readonly soa: DnsAnswer
  /** For A and for AAAA. */
  readonly addresses: readonly DnsAnswer[]
  /** Of the first answer. */
  readonly roundTripMs: number
}

/** What one address was found to answer. */
export interface Verdict {
  readonly state: PropagationState
  readonly serial: number | null
  readonly addresses: readonly string[]
  /** Whether these are the published ones; null: there was no answer. */
  readonly hasPublished: boolean | null
  readonly roundTripMs: number | null
  /** A sentence for people, or several. */
  readonly message: string
}

export interface CheckedServer extends ZoneServer, Verdict {}

/** Too many checks wait for their turn in this process. */
export class PropagationChecksBusy extends Error {
  constructor() {
    super('Too many checks of name servers are waiting. Try again in a few seconds.')
    this.name = 'PropagationChecksBusy'
  }
}
