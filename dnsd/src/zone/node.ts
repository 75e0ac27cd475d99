import { TYPE } from '../names/index.ts'
import type { OwnerState, RRset } from './rrset.ts'

/**
 * A name that exists in a zone. It exists because a state was published for it, or because a name
 * below it exists (an empty non-terminal, RFC 8499 §7), or both.
 */
export class ZoneNode {
  /** The node one label up; undefined at the apex, whose parent is in another zone. */
  readonly parent: ZoneNode | undefined
  /** Existing names one label below. */
  childCount = 0
  #state: OwnerState | undefined
  #delegates = false
  #redirects = false

  constructor(parent: ZoneNode | undefined) {
    this.parent = parent
  }

  /** What was published for this name; undefined for an empty non-terminal. */
  get state(): OwnerState | undefined {
    return this.#state
  }

  get rrsets(): readonly RRset[] {
    return this.#state?.rrsets ?? []
  }

  /** Whether this name is a zone cut: NS records below the apex (RFC 1034 §4.2). */
  get delegates(): boolean {
    return this.#delegates
  }

  /** Whether what is below this name is redirected by its DNAME (RFC 6672 §2.3). */
  get redirects(): boolean {
    return this.#redirects
  }

  rrset(type: number): RRset | undefined {
    return this.rrsets.find((rrset) => rrset.type === type)
  }

  publish(state: OwnerState | undefined): void {
    this.#state = state
    this.#delegates = this.parent !== undefined && this.rrset(TYPE.NS) !== undefined
    this.#redirects = this.rrset(TYPE.DNAME) !== undefined
  }
}
