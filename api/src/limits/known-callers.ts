/** Whose a credential was when it was last good: what it is counted for, before anybody is asked. It lets nobody in. */
import { digestOf } from '../rules/secrets.ts'
import type { Principal } from '../caller/principal.ts'
import { BoundedMap } from './bounded-map.ts'

/** What calls are counted for. */
export interface CallerCounts {
  readonly accountId: string
  /** Undefined for a session. */
  readonly keyId: string | undefined
}

const KNOWN_LIMIT = 50_000

/** What the calls of somebody who was let in are counted for. */
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
   * What a credential is remembered by; the credential itself is not kept.
   *
   * @param credential an Authorization header or a cookie's value. Blanks and the case of the scheme make no other one
   * of it (RFC 9110 §11.4), or one caller could be written in enough ways for all others to be forgotten
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
