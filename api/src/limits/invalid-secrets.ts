/**
 * Invalid API keys and update tokens. A router keeps using a deleted one forever, and an attacker
 * can try made-up ones by the thousand. Each costs one look-up by its digest, the same one costs
 * nothing again for a while, and the look-ups of one network are rate-limited.
 *
 * A secret that was valid before is always looked up, so a router is not affected by another
 * machine behind the same address.
 */
import { Allowances } from './allowances.ts'
import { networkOf } from '../rules/networks.ts'
import { BoundedMap } from './bounded-map.ts'

/** Not longer: a secret becomes valid again when its domain is restored, maybe by another process. */
const REMEMBERED_MS = 60_000
const REMEMBERED_LIMIT = 20_000
const RIGHT_LIMIT = 50_000
const NETWORKS_LIMIT = 20_000
/** Invalid secrets of one network. */
const WRONG_ONES = { burst: 60, refillMs: 1_000 }
/**
 * A secret counts after its look-up, so that valid ones never count: after a restart, all routers behind one address may
 * call at the same time. Concurrent look-ups of invalid secrets are all counted; this is the maximum wait for them.
 */
const DEBT_LIMIT_MS = 60_000

/**
 * `ask`: look it up. `known`: look it up, it was valid before. `unknown`: it was invalid a moment
 * ago. `wait`: its network has tried too many.
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
   * @param isOn false: networks are not limited
   * @param now a monotonic clock, in milliseconds
   */
  constructor(isOn: boolean, now: () => number = () => performance.now()) {
    this.#isOn = isOn
    this.#now = now
    this.#networks = new Allowances(WRONG_ONES, now, NETWORKS_LIMIT)
  }

  /** Whether the secret with a digest may be looked up. */
  check(digest: string, ip: string): SecretCheck {
    if (this.#right.has(digest)) return KNOWN
    if (this.#isUnknown(digest)) return UNKNOWN
    const { isAllowed, waitSeconds } = this.#networks.look(networkOf(ip))
    return isAllowed ? ASK : { kind: 'wait', retryAfterSeconds: waitSeconds }
  }

  /** Records a valid secret. */
  right(digest: string): void {
    this.#right.set(digest, true)
  }

  /** Records an invalid secret. */
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
