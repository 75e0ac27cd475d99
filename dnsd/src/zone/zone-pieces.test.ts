import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TYPE } from '../names/index.ts'
import { CUTS_BELOW } from '../table/index.ts'
import type { RRset } from './rrset.ts'
import { address, emptyZone, key, soa, state, version } from './test-support.ts'
import type { Zone } from './zone.ts'

function adoptOrRefuse(zone: Zone, piece: Buffer): void {
  try {
    zone.adopt(piece)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}

describe('Zone.pieces and Zone.adopt', () => {
  const ns: RRset = { type: TYPE.NS, ttlSeconds: 60, rdata: [soa.mname] }

  it('keep flags of wildcards and cuts, for any order of names', () => {
    const zone = emptyZone()
    // A child before its parent is published, and a repeated name, whose later state counts.
    zone.apply([state('*.b.c', [ns]), state('c', [address(1)]), state('d', [ns])], version(2n))
    const adopted = emptyZone()
    adopted.apply([state('d', [address(9)])], version(2n))
    for (const piece of zone.pieces()) adopted.adopt(piece)
    for (const text of ['@', 'c', 'b.c', '*.b.c', 'd']) {
      const [one, other] = [zone, adopted].map((each) => {
        const ref = each.find(key(text))
        return [each.table.flagsOf(ref), each.node(key(text))?.rrsets]
      })
      expect(other).toEqual(one)
    }
    adopted.apply([state('d', null), state('*.b.c', null)], version(3n))
    expect(adopted.table.flagsOf(adopted.find(key('@'))) & CUTS_BELOW).toBe(0)
    expect(adopted.nameCount).toBe(2)
  })

  it('have names of several labels and large ones in more than one piece', () => {
    const zone = emptyZone()
    const large: RRset = { type: TYPE.TXT, ttlSeconds: 1, rdata: [Buffer.alloc(60_000, 'x')] }
    const states = Array.from({ length: 12 }, (_, index) => state(`n${index}.x.y`, [large]))
    zone.apply(states, version(2n))
    const pieces = [...zone.pieces()]
    expect(pieces.length).toBeGreaterThan(2)
    const adopted = emptyZone()
    for (const piece of pieces) adopted.adopt(piece)
    expect([...adopted.owners()]).toEqual([...zone.owners()])
  })

  it('refuse invalid entries at any position', () => {
    const zone = emptyZone()
    zone.apply([state('router.x', [address(1)])], version(2n))
    const [piece = Buffer.alloc(0)] = zone.pieces()
    for (let at = 1; at < piece.length; at++) {
      expect(() => emptyZone().adopt(piece.subarray(0, at))).toThrow(RangeError)
    }
    fc.assert(
      fc.property(fc.nat(piece.length - 1), fc.nat(255), (at, octet) => {
        const wrong = Buffer.from(piece)
        wrong[at] = octet
        // Either refused or accepted; an accepted piece can be read.
        const other = emptyZone()
        adoptOrRefuse(other, wrong)
        expect([...other.owners()].length).toBeLessThan(2)
      }),
      { seed: 5936, numRuns: 500 },
    )
  })
})
