import * as fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { firstOctetsOutside, isIn, NOT_PUBLIC, NOT_UNICAST } from './special-addresses.ts'

describe.each([
  ['that no name may hold', NOT_UNICAST],
  ['that are not for the public', [...NOT_UNICAST, ...NOT_PUBLIC]],
])('blocks %s', (_, blocks) => {
  const outside = firstOctetsOutside(blocks)
  const octet = fc.nat({ max: 255 })
  const holds = (octets: number[]) =>
    blocks.some((block) => isIn(ipaddr.fromByteArray(octets), block))

  test('hold no address that begins with an octet outside', () => {
    fc.assert(
      fc.property(fc.constantFrom(...outside), octet, octet, octet, (...octets) => {
        expect(holds(octets)).toBe(false)
      }),
    )
  })

  test('hold one that begins with any other octet, at the edge of one of their networks', () => {
    const networks = blocks
      .flatMap(({ ranges }) => ranges.map(([network]) => network.toByteArray()))
      .filter(({ length }) => length === 4)
    const within = Array.from({ length: 256 }, (_unused, first) => first).filter((first) =>
      [...networks, [first, 0, 0, 0]].some((octets) => octets[0] === first && holds(octets)),
    )
    expect([...outside, ...within].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 256 }, (_unused, first) => first),
    )
  })
})
