/**
 * Passwords that were verified recently. argon2 intentionally takes some 50 ms; a router that calls every minute with
 * its owner's password must not cost that each time.
 *
 * Only a digest is kept. Its key ends with the process, so a copy of the memory is useless elsewhere. An entry says
 * that a password matched one `credential_version` of an account; the caller compares it with the account's current
 * version. An entry is valid only for the address that sent the password: a look-up uses up no attempt, so guesses from
 * other addresses must find nothing.
 *
 * Wrong passwords are remembered too, because a router repeats one every minute. An entry
 * includes the state of the accounts that the password was wrong for, and is valid while
 * that state is unchanged.
 */
import { hash } from 'node:crypto'
import { BoundedMap } from '../limits/bounded-map.ts'

const LIFETIME_MS = 10 * 60_000
const ENTRIES_LIMIT = 50_000
/** As long as the attempt counters, so that a repeated wrong password uses up one attempt per hour. */
const WRONG_LIFETIME_MS = 60 * 60_000
const WRONG_LIMIT = 20_000

export interface RememberedPassword {
  readonly userId: string
  readonly credentialVersion: number
}

interface Entry extends RememberedPassword {
  readonly until: number
}

interface WrongEntry {
  /** The accounts that it was tried on, and the versions of their credentials. */
  readonly accounts: string
  readonly until: number
}

export class PasswordMemory {
  readonly #key: string
  readonly #now: () => number
  /** Ordered by expiry, because all entries have the same lifetime. */
  readonly #entries = new BoundedMap<string, Entry>(ENTRIES_LIMIT)
  readonly #wrong = new BoundedMap<string, WrongEntry>(WRONG_LIMIT)

  /** @param now a monotonic clock, in milliseconds */
  constructor(key: Buffer, now: () => number = () => performance.now()) {
    this.#key = key.toString('base64')
    this.#now = now
  }

  /**
   * The digest under which a pair of name and password is remembered: of the secret key, which has a fixed length, and
   * the pair. HMAC would also prevent length extension, but digests never leave this process, and its key objects took
   * a fifth of the time of an update request.
   */
  digest(username: string, password: string): string {
    return hash('sha256', `${this.#key}${username.toLowerCase()}\0${password}`, 'base64')
  }

  /** The password of a digest, if it was right recently at the same address. */
  recall(digest: string, ip: string): RememberedPassword | undefined {
    const entry = this.#entries.get(digest + ip)
    if (entry === undefined || entry.until > this.#now()) return entry
    this.#entries.delete(digest + ip)
    return undefined
  }

  remember(digest: string, ip: string, { userId, credentialVersion }: RememberedPassword): void {
    const until = this.#now() + LIFETIME_MS
    this.#entries.set(digest + ip, { userId, credentialVersion, until })
  }

  forget(digest: string, ip: string): void {
    this.#entries.delete(digest + ip)
  }

  /** The accounts for which a password was wrong recently. */
  recallWrong(digest: string): string | undefined {
    const entry = this.#wrong.get(digest)
    if (entry === undefined || entry.until > this.#now()) return entry?.accounts
    this.#wrong.delete(digest)
    return undefined
  }

  /** @param accounts a text that identifies them and the versions of their credentials */
  rememberWrong(digest: string, accounts: string): void {
    this.#wrong.set(digest, { accounts, until: this.#now() + WRONG_LIFETIME_MS })
  }
}
