import * as fc from 'fast-check'
import library from 'siphash'
import { describe, expect, it } from 'vitest'
import { sipHash } from './siphash.ts'

function hashed(key: Uint32Array, octets: Uint8Array): string {
  const into = Buffer.alloc(10, 0xee)
  sipHash(key, octets, into, 1)
  expect([into[0], into[9]]).toEqual([0xee, 0xee])
  return into.toString('hex', 1, 9)
}

describe('sipHash', () => {
  it('gives the result of appendix A of the specification', () => {
    const key = Uint32Array.of(0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c)
    const octets = Uint8Array.from({ length: 15 }, (_, n) => n)
    expect(hashed(key, octets)).toBe('e545be4961ca29a1')
  })

  it('gives the result of a library, for every key and length', () => {
    const words = fc.uint32Array({ minLength: 4, maxLength: 4 })
    const property = fc.property(words, fc.uint8Array({ maxLength: 100 }), (key, octets) => {
      const { h: high, l: low } = library.hash(Uint32Array.from(key), octets)
      const expected = Buffer.alloc(8)
      expected.writeInt32LE(low | 0, 0)
      expected.writeInt32LE(high | 0, 4)
      expect(hashed(key, octets)).toBe(expected.toString('hex'))
    })
    fc.assert(property, { seed: 9018, numRuns: 500 })
  })
})
