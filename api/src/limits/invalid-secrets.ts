/**
 * Keys and tokens that are none. A router goes on for ever with one that was deleted, and
 * somebody may try made-up ones by the thousand: each costs one look-up by its digest, the
 * same one again costs none for a while, and one network gets no more than some a minute.
 *
 * A secret that was right before is looked for all the same, so a router does not suffer
 * from what another machine behind the same address does.
 */
import { Allowances } from './allowances.ts'
import { networkOf } from '../rules/networks.ts'
import { BoundedMap } from './bounded-map.ts'

const REMEMBERED_MS = 10 * 60_000
const REMEMBERED_LIMIT = 20_000
const RIGHT_LIMIT = 50_000
const NETWORKS_LIMIT = 20_000
/** Wrong ones of a network. */
const WRONG_ONES = { burst: 60, refillMs: 1_000 }
/**
 * One counts when it was looked for, so that right ones count at no time: after a restart all routers behind one address
 * may come together. So many wrong ones that are looked for at once are all counted; nobody waits longer for them than this.
 */
const DEBT_LIMIT_MS = 60_000

/**
 * `ask`: look for it; `known`: look for it, it was one before; `unknown`: it was none a moment
 * ago; `wait`: its network has tried too many.
 */
export type SecretCheck =
  | { readonly kind: 'ask' | 'known' | 'unknown' }
  | { readonly kind: 'wait'; readonly retryAfterSeconds: number }

const ASK = { kind: 'ask' } as const
const KNOWN = { kind: 'known' } as const
const UNKNOWN = { kind: 'unknown' } as const

export class InvalidSecrets {
  readonly #isOn: boolean
  readonly #now: () => number
  /** Until when a digest is known to be invalid, in the order of these times. */
  readonly #unknown = new BoundedMap<string, number>(REMEMBERED_LIMIT)
  readonly #right = new BoundedMap<string, true>(RIGHT_LIMIT)
  readonly #networks: Allowances

  /**
   * @param isOn false: no network is made to wait
   * @param now a clock that never goes back, in milliseconds
   */
  constructor(isOn: boolean, now: () => number = () => performance.now()) {
    this.#isOn = isOn
    this.#now = now
    this.#networks = new Allowances(WRONG_ONES, now, NETWORKS_LIMIT)
  }

  /** Whether the secret of a digest may be looked for. */
  check(digest: string, ip: string): SecretCheck {
    if (this.#right.has(digest)) return KNOWN
    if (this.#isUnknown(digest)) return UNKNOWN
    const { isAllowed, waitSeconds } = this.#networks.look(networkOf(ip))
    return isAllowed ? ASK : { kind: 'wait', retryAfterSeconds: waitSeconds }
  }

  /** Notes a valid secret. */
  right(digest: string): void {
    this.#right.set(digest, true)
  }

  /** Notes an invalid secret. */
  wrong(digest: string, ip: string): void {
    this.#right.delete(digest)
    this.#unknown.set(digest, this.#now() + REMEMBERED_MS)
    if (this.#isOn) this.#networks.charge(networkOf(ip), DEBT_LIMIT_MS)
  }

  #isUnknown(digest: string): boolean {
    const until = this.#unknown.get(digest)
    if (until === undefined) return false
    if (until > this.#now()) return true
    this.#unknown.delete(digest)
    return false
  }
}
