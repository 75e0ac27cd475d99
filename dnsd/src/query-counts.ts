import { SERVED_TYPES, TYPE, typeToText } from './names/index.ts'
import type { Answered } from './server/index.ts'

// Anybody may ask for any of 65,536 types; those that say nothing are counted as one.
const TOLD_APART = new Set<number>([...SERVED_TYPES, TYPE.ANY, TYPE.AXFR, TYPE.IXFR])
const OTHER = -1

/** How often one kind of answer was given. */
export interface QueryCount {
  readonly transport: string
  readonly rcode: string
  readonly type: string
  readonly count: number
}

/** Counts answers. Counting is two look-ups, as it happens for every answer; names are made for those who read. */
export class QueryCounts {
  // By transport and RCODE, then by type.
  readonly #counts = new Map<string, Map<number, number>>()

  add({ transport, rcode, qtype }: Answered): void {
    const kind = `${transport} ${rcode}`
    let byType = this.#counts.get(kind)
    if (byType === undefined) {
      byType = new Map()
      this.#counts.set(kind, byType)
    }
    const type = qtype !== undefined && TOLD_APART.has(qtype) ? qtype : OTHER
    byType.set(type, (byType.get(type) ?? 0) + 1)
  }

  *[Symbol.iterator](): Generator<QueryCount> {
    for (const [kind, byType] of this.#counts) {
      const [transport = '', rcode = ''] = kind.split(' ')
      for (const [type, count] of byType) {
        yield { transport, rcode, type: type === OTHER ? 'other' : typeToText(type), count }
      }
    }
  }
}
