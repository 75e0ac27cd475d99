/**
 * The owner of each credential when it was last valid. It chooses the counters before authentication and grants no
 * access.
 */
import { digestOf } from '../rules/secrets.ts'
import type { Principal } from '../caller/principal.ts'
import { BoundedMap } from './bounded-map.ts'

/** The counters of a call. */
export interface CallerCounts {
  readonly accountId: string
  /** Undefined for a session. */
  readonly keyId: string | undefined
}

const KNOWN_LIMIT = 50_000

/** The counters for the calls of an authenticated caller. */
export function countsOf(principal: Principal): CallerCounts {
  return {
    accountId: principal.account.id,
    keyId: principal.kind === 'api_key' ? principal.keyId : undefined,
  }
}

export class KnownCallers {
  /** In the order of their last calls. */
  readonly #byDigest: BoundedMap<string, CallerCounts>

  /** @param limit how many are remembered; beyond it, the caller whose last call is the oldest is dropped */
  constructor(limit = KNOWN_LIMIT) {
    this.#byDigest = new BoundedMap(limit)
  }

  /**
   * The key under which a credential is remembered. The credential itself is not stored.
   *
   * @param credential an Authorization header or a cookie's value. Spaces and the case of the scheme do not change the
   * key (RFC 9110 §11.4); otherwise one caller could use enough spellings to push out all others
   */
  digest(credential: string): string {
    return digestOf(credential.replace(/^bearer +/i, 'Bearer '))
  }

  find(digest: string): CallerCounts | undefined {
    const counts = this.#byDigest.get(digest)
    if (counts !== undefined) this.remember(digest, counts)
    return counts
  }

  remember(digest: string, counts: CallerCounts): void {
    this.#byDigest.set(digest, counts)
  }

  forget(digest: string): void {
    this.#byDigest.delete(digest)
  }
}
