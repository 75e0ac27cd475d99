/**
 * Passwords that were right a moment ago. argon2 takes some 50 ms on purpose; a router
 * that calls every minute with the password of its owner must not cost that each time.
 *
 * Only a digest is kept, keyed with a secret that dies with the process, so the memory of
 * this process is worth nothing elsewhere. What is remembered is that a password matched
 * one `credential_version` of an account; whoever relies on it compares the version that
 * the account has now.
 */
import { hash } from 'node:crypto'

const LIFETIME_MS = 10 * 60_000
const ENTRIES_LIMIT = 50_000

export interface RememberedPassword {
  readonly userId: string
  readonly credentialVersion: number
}

interface Entry extends RememberedPassword {
  readonly until: number
}

export class PasswordMemory {
  readonly #key: string
  readonly #now: () => number
  /** In the order of their ends, since all live equally long. */
  readonly #entries = new Map<string, Entry>()

  /** @param now a clock that never goes back, in milliseconds */
  constructor(key: Buffer, now: () => number = () => performance.now()) {
    this.#key = key.toString('base64')
    this.#now = now
  }

  /**
   * The digest under which a pair of name and password is remembered: of the key, which
   * nobody knows and which is of one length, and the pair. HMAC would also stop somebody
   * from lengthening a digest; digests never leave, and its key objects made up a fifth of
   * what an update request cost.
   */
  digest(username: string, password: string): string {
    return hash('sha256', `${this.#key}${username.toLowerCase()}\0${password}`, 'base64')
  }

  recall(digest: string): RememberedPassword | undefined {
    const entry = this.#entries.get(digest)
    if (entry === undefined || entry.until > this.#now()) return entry
    this.#entries.delete(digest)
    return undefined
  }

  remember(digest: string, { userId, credentialVersion }: RememberedPassword): void {
    this.#entries.delete(digest)
    this.#entries.set(digest, { userId, credentialVersion, until: this.#now() + LIFETIME_MS })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > ENTRIES_LIMIT && oldest !== undefined) this.#entries.delete(oldest)
  }

  forget(digest: string): void {
    this.#entries.delete(digest)
  }
}
