import { type CountedName, COUNTERS } from '../query-counts/index.ts'

interface Sums extends Pick<CountedName, 'zone' | 'kind' | 'name'> {
  readonly networks: Map<string | null, number>
  readonly counters: Float64Array
}

/** Adds up the counts of batches by name. */
export class MergedNames {
  readonly #sums = new Map<string, Sums>()
  readonly #keepsNetworks: boolean

  constructor({ keepsNetworks }: { readonly keepsNetworks: boolean }) {
    this.#keepsNetworks = keepsNetworks
  }

  add({ zone, kind, name, networks, counters }: CountedName): void {
    // Neither a name nor a zone has a space.
    const id = `${kind} ${zone} ${name ?? ''}`
    let sums = this.#sums.get(id)
    if (sums === undefined) {
      sums = { zone, kind, name, networks: new Map(), counters: new Float64Array(COUNTERS.length) }
      this.#sums.set(id, sums)
    }
    for (const [network, queries] of networks) {
      const key = this.#keepsNetworks ? network : null
      sums.networks.set(key, (sums.networks.get(key) ?? 0) + queries)
    }
    for (const [index, queries] of counters.entries()) {
      sums.counters[index] = (sums.counters[index] ?? 0) + queries
    }
  }

  *[Symbol.iterator](): Generator<CountedName> {
    for (const { networks, counters, ...name } of this.#sums.values()) {
      yield { ...name, networks: [...networks], counters: [...counters] }
    }
  }
}
