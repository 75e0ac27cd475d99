/** Whose a credential was when it was last good: what it is counted for, before anybody is asked. It lets nobody in. */
import { digestOf } from '../domain/secrets.ts'
import type { Principal } from '../principal.ts'

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
  readonly #byDigest = new Map<string, CallerCounts>()

  /** What a credential is remembered by; the credential itself is not kept. */
  digest(credential: string): string {
    return digestOf(credential)
  }

  find(digest: string): CallerCounts | undefined {
    return this.#byDigest.get(digest)
  }

  remember(digest: string, counts: CallerCounts): void {
    this.#byDigest.set(digest, counts)
    const [oldest] = this.#byDigest.keys()
    if (this.#byDigest.size > KNOWN_LIMIT && oldest !== undefined) this.#byDigest.delete(oldest)
  }

  forget(digest: string): void {
    this.#byDigest.delete(digest)
  }
}
