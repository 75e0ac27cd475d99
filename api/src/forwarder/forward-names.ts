/**
 * The names of the forward feed, and the search for the forward of a host.
 *
 * A wildcard answers for a host by the rule of DNS (RFC 4592 §3.3.1): the closest existing ancestor decides, and only its
 * own wildcard counts. So a host is forwarded exactly when DNS returns the forwarder's address for it.
 */
import type { Forward } from './forward.ts'

export class ForwardNames {
  readonly #forwards = new Map<string, Forward | null>()
  /** How many names are below a name. Names with others below them exist too (RFC 4592 §2.2.2). */
  readonly #below = new Map<string, number>()

  get size(): number {
    return this.#forwards.size
  }

  has(name: string): boolean {
    return this.#forwards.has(name)
  }

  /** What the feed says about this name itself; undefined when it does not mention the name. */
  get(name: string): Forward | null | undefined {
    return this.#forwards.get(name)
  }

  entries(): IterableIterator<[string, Forward | null]> {
    return this.#forwards.entries()
  }

  set(name: string, forward: Forward | null): void {
    if (!this.#forwards.has(name)) this.#count(name, 1)
    this.#forwards.set(name, forward)
  }

  delete(name: string): void {
    if (this.#forwards.delete(name)) this.#count(name, -1)
  }

  /**
   * The forward of a host.
   *
   * @param host lower case, without a final dot
   */
  find(host: string): Forward | undefined {
    const own = this.#forwards.get(host)
    if (own !== undefined) return own ?? undefined
    if (this.#below.has(host)) return undefined
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
      const ancestor = host.slice(dot + 1)
      if (!this.#below.has(ancestor) && !this.#forwards.has(ancestor)) continue
      return this.#forwards.get(`*.${ancestor}`) ?? undefined
    }
    return undefined
  }

  #count(name: string, difference: 1 | -1): void {
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      const ancestor = name.slice(dot + 1)
      const count = (this.#below.get(ancestor) ?? 0) + difference
      if (count === 0) this.#below.delete(ancestor)
      else this.#below.set(ancestor, count)
    }
  }
}
