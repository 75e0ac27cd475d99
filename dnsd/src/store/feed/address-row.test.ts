/* Compares the fast path with the general one: for any rows in any order, both must build the same zone. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameFromText } from '../../names/index.ts'
import { type OwnerState, Zone } from '../../zone/index.ts'
import { addAddressRow } from './address-row.ts'
import { readRow } from './copy-rows.ts'
import { addRows } from './full-read.ts'
import { copyRow } from './test-support.ts'

const apex = nameFromText('home.test.')
const seconds = { refreshSeconds: 1, retrySeconds: 2, expireSeconds: 3, minimumSeconds: 4 }
const newZone = () =>
  new Zone(
    apex,
    { serial: 1n, feedId: 'feed', token: 't' },
    { mname: apex, rname: apex, ttlSeconds: 5, ...seconds },
  )

interface Row {
  readonly owner: string
  readonly type: string | null
  readonly ttl: number
  readonly rdata: readonly string[]
}

const octetsOf = ({ owner, type, ttl, rdata }: Row) => copyRow(owner, type, ttl, [...rdata])

function added(row: Row): boolean {
  // It does not start at the beginning of its piece.
  const octets = Buffer.concat([Buffer.alloc(7, 0xee), octetsOf(row)])
  return addAddressRow(newZone(), octets, 7)
}

/** The zone that rows build, with the fast path where possible, and its reports. */
function made(rows: readonly Row[], quickly: boolean): { owners: OwnerState[]; told: string[] } {
  const zone = newZone()
  const told: string[] = []
  for (const row of rows) {
    const octets = octetsOf(row)
    if (quickly && addAddressRow(zone, octets, 0)) continue
    addRows(zone, [readRow(octets, 0)], (owner, reason) => told.push(`${owner}: ${reason}`))
  }
  const owners = [...zone.owners()].map(({ owner, rrsets }) => ({
    owner,
    rrsets: (rrsets ?? []).toSorted((one, other) => one.type - other.type),
  }))
  return { owners, told }
}

const address = (owner: string, rdata = '192.0.2.1', type = 'A', ttl = 60): Row => ({
  owner,
  type,
  ttl,
  rdata: [rdata],
})

describe('addAddressRow', () => {
  it.each<Row>([
    address('router.home.test'),
    address('a.b.home.test', '255.255.255.255'),
    address('*.home.test', '0.0.0.0'),
    address('ROUTER-1._x.Home.TEST', '10.0.0.1', 'A', 2_147_483_647),
    address('router.home.test', '2001:db8::1', 'AAAA'),
    address(`${'a'.repeat(63)}.home.test`),
  ])('accepts $owner $type $rdata', (row) => {
    expect(added(row)).toBe(true)
    expect(made([row], true)).toEqual(made([row], false))
  })

  it.each<Row>([
    address('home.test'),
    address('test'),
    address('router.other.test'),
    address('xhome.test'),
    address('a..home.test'),
    address('.home.test'),
    address('a.home.test.'),
    address(''),
    address('a\\.b.home.test'),
    address('bücher.home.test'),
    address(`${'a'.repeat(64)}.home.test`),
    address(`${'a.'.repeat(124)}home.test`),
    address('a.home.test', '192.0.2'),
    address('a.home.test', '192.0.2.1.'),
    address('a.home.test', '192.0.2.01'),
    address('a.home.test', '192.0.2.256'),
    address('a.home.test', '192.0.2.1 '),
    address('a.home.test', ''),
    address('a.home.test', '1.2.3.4', 'AAAA'),
    address('a.home.test', '1::2::3', 'AAAA'),
    address('a.home.test', '192.0.2.1', 'A', -1),
    address('a.home.test', 'x', 'TXT'),
    address('a.home.test', '192.0.2.1', 'AA'),
    { owner: 'a.home.test', type: 'A', ttl: 60, rdata: [] },
    { owner: 'a.home.test', type: 'A', ttl: 60, rdata: ['192.0.2.1', '192.0.2.2'] },
    { owner: 'a.home.test', type: null, ttl: 0, rdata: [] },
  ])('rejects $owner $type $rdata', (row) => {
    expect(added(row)).toBe(false)
  })

  it('builds the same zone as the general path', () => {
    const owner = fc
      .constantFrom('a', 'b', 'a.b', '*', 'A', 'x..y', '')
      .map((label) => `${label}.home.test`)
    const row: fc.Arbitrary<Row> = fc.oneof(
      fc.record({
        owner,
        type: fc.constant('A'),
        ttl: fc.nat(99),
        rdata: fc.tuple(fc.constantFrom('192.0.2.1', '192.0.2.300')),
      }),
      fc.record({
        owner,
        type: fc.constant('AAAA'),
        ttl: fc.nat(99),
        rdata: fc.tuple(fc.constantFrom('::1', 'x')),
      }),
      fc.record({
        owner,
        type: fc.constantFrom('CNAME', 'NS', 'DNAME'),
        ttl: fc.nat(99),
        rdata: fc.constant(['b.home.test.']),
      }),
      fc.record({ owner, type: fc.constant(null), ttl: fc.constant(0), rdata: fc.constant([]) }),
    )
    // PostgreSQL returns each RRset once.
    const rows = fc.uniqueArray(row, {
      maxLength: 12,
      selector: (each) => `${each.owner.toLowerCase()} ${each.type}`,
    })
    fc.assert(
      fc.property(rows, (all) => {
        expect(made(all, true)).toEqual(made(all, false))
      }),
      { seed: 1034, numRuns: 1000 },
    )
  })
})
