import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareNames, nameFromText } from '../names/index.ts'
import { type OwnerState, type RRset, Zone } from '../zone/index.ts'
import { sortedEntries } from './sorted-entries.ts'
import { WorkSlice } from './work-slice.ts'
import { zoneDigest } from './zone-digest.ts'

const apex = nameFromText('home.test.')
const seconds = { refreshSeconds: 1, retrySeconds: 2, expireSeconds: 3, minimumSeconds: 4 }
const soa = { mname: apex, rname: apex, ttlSeconds: 5, ...seconds }
const version = (serial: bigint) => ({ serial, feedId: 'feed', token: `t${serial}` })
const address = (last: number): RRset => ({
  type: 1,
  ttlSeconds: 60,
  rdata: [Buffer.of(192, 0, 2, last), Buffer.of(192, 0, 2, last + 1)],
})
const text: RRset = { type: 16, ttlSeconds: 60, rdata: [Buffer.from('\u0001x')] }

function zoneOf(states: readonly OwnerState[]): Zone {
  const zone = new Zone(apex, version(1n), soa)
  for (const state of states) zone.apply([state], version(2n))
  return zone
}

const state = (owner: string, ...rrsets: RRset[]): OwnerState => ({
  owner: nameFromText(owner, apex),
  rrsets,
})

describe('zoneDigest', () => {
  it('is the same for the same names, in any order and letter case', async () => {
    const names = [state('@', text), state('b', address(1)), state('a.b', text), state('c')]
    const one = await zoneDigest(zoneOf(names))
    const [apex = state('@'), ...below] = names
    const mixed = [...below.toReversed(), state('B', address(1)), apex]
    expect(one.names).toBe(4)
    expect((await zoneDigest(zoneOf(mixed))).digest).toBe(one.digest)
  })

  it.each<[string, OwnerState[]]>([
    ['another address', [state('a', address(9))]],
    ['another name', [state('b', address(1))]],
    ['one more name', [state('a', address(1)), state('b')]],
    ['one name fewer', []],
    ['the apex', [state('@', text), state('a', address(1))]],
    ['the TTL', [state('a', { ...address(1), ttlSeconds: 61 })]],
  ])('differs for %s', async (_what, states) => {
    const one = await zoneDigest(zoneOf([state('a', address(1))]))
    expect((await zoneDigest(zoneOf(states))).digest).not.toBe(one.digest)
  })

  it('does not depend on the order of records and RRsets', async () => {
    const { rdata } = address(1)
    const reversed = { ...address(1), rdata: rdata.toReversed() }
    const [one, other] = [
      await zoneDigest(zoneOf([state('a', text, address(1))])),
      await zoneDigest(zoneOf([state('a', reversed, text)])),
    ]
    expect(other.digest).toBe(one.digest)
  })
})

describe('sortedEntries', () => {
  it.each([0, 1, 511, 512, 513, 5_000])(
    'sorts %i numbers and does not change the input',
    async (count) => {
      const given = Int32Array.from({ length: count }, (_, index) => (index * 7919) % 10_007)
      const before = given.slice()
      const sorted = await sortedEntries(given, (one, other) => one - other, new WorkSlice())
      expect(sorted).toEqual(before.toSorted())
      expect(given).toEqual(before)
    },
  )

  it('RFC 4034 §6.1: sorts the names of a zone as compareNames does', async () => {
    const label = fc.constantFrom('a', 'ab', 'b', '*', 'z-1', '\\000', '\\255', 'A')
    const owners = fc.array(
      fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
      { maxLength: 20 },
    )
    await fc.assert(
      fc.asyncProperty(owners, async (texts) => {
        using frozen = await zoneOf(texts.map((owner) => state(owner))).capture()
        const entries = Int32Array.from(frozen.entries())
        const compare = (one: number, other: number) => frozen.compareOwners(one, other)
        const sorted = await sortedEntries(entries, compare, new WorkSlice())
        const names = [...sorted].map((entry) => frozen.state(entry).owner)
        expect(names).toEqual(names.toSorted(compareNames))
      }),
      { seed: 4034, numRuns: 200 },
    )
  })
})
