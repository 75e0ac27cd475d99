import type { CountedName, Dimension } from '../query-counts/index.ts'

interface Sums extends Pick<CountedName, 'zone' | 'kind' | 'name'> {
  readonly networks: Map<string | null, number>
  /** By dimension and value, with a space between them. */
  readonly facets: Map<string, number>
}

/** Adds up the counts of batches by name. */
export class MergedNames {
  readonly #sums = new Map<string, Sums>()
  readonly #keepsNetworks: boolean

  constructor({ keepsNetworks }: { readonly keepsNetworks: boolean }) {
    this.#keepsNetworks = keepsNetworks
  }

  add({ zone, kind, name, networks, facets }: CountedName): void {
    // Neither a name nor a zone has a space.
    const key = `${kind} ${zone} ${name ?? ''}`
    let sums = this.#sums.get(key)
    if (sums === undefined) {
      sums = { zone, kind, name, networks: new Map(), facets: new Map() }
      this.#sums.set(key, sums)
    }
    for (const [network, queries] of networks) {
      addTo(sums.networks, this.#keepsNetworks ? network : null, queries)
    }
    for (const [dimension, value, queries] of facets) {
      addTo(sums.facets, `${dimension} ${value}`, queries)
    }
  }

  *[Symbol.iterator](): Generator<CountedName> {
    for (const { networks, facets, ...name } of this.#sums.values()) {
      yield { ...name, networks: [...networks], facets: [...facets].map(facetOf) }
    }
  }
}

function addTo<K>(sums: Map<K, number>, key: K, queries: number): void {
  sums.set(key, (sums.get(key) ?? 0) + queries)
}

function facetOf([key, queries]: [string, number]): [Dimension, string, number] {
  const space = key.indexOf(' ')
  return [key.slice(0, space) as Dimension, key.slice(space + 1), queries]
}
