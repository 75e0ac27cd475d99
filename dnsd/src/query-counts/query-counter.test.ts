import { describe, expect, it } from 'vitest'
import { ANSWER_LIMIT_BYTES, HotPath, OUTCOME } from '../hot-path/index.ts'
import { nameFromText, TYPE } from '../names/index.ts'
import { Zone, Zones } from '../zone/index.ts'
import { ZoneTable } from '../table/index.ts'
import { type CountSizes, type CountTable, createCountTable } from './count-table.ts'
import { activeHalf, changeHalf, emptyHalf, isEmptyHalf } from './count-halves.ts'
import { linesOfHalves, namesIn } from './count-lines.ts'
import { COUNTERS, type CountedName, DIMENSIONS } from './counted-name.ts'
import type { CountedAddress } from './client-network.ts'
import { countedBy, QueryCounter } from './query-counter.ts'

const out = new Uint8Array(ANSWER_LIMIT_BYTES)
const SOA_TIMES = {
  refreshSeconds: 1,
  retrySeconds: 1,
  expireSeconds: 1,
  minimumSeconds: 1,
  ttlSeconds: 1,
}

function query(name: string, type: number): Buffer {
  const head = Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([head, nameFromText(name, Buffer.of(0)), Buffer.of(type >> 8, type, 0, 1)])
}

const ipv4 = (first: number): CountedAddress => ({
  family: 4,
  words: Int32Array.of(first, 0, 0, 0),
})
const HOME = ipv4(0xc0000205 | 0)

function zoneIn(zones: Zones, apex: string, names: readonly string[]): Zone {
  const wire = nameFromText(`${apex}.`)
  const soa = { mname: wire, rname: wire, ...SOA_TIMES }
  const zone = new Zone(wire, { serial: 1n, feedId: 'f', token: '1' }, soa, zones.table)
  put(zone, names)
  zones.set(zone)
  return zone
}

function put(zone: Zone, names: readonly string[], lastOctet = 1): void {
  const rdata = [Buffer.from([192, 0, 2, lastOctet])]
  const changes = names.map((name) => ({
    owner: nameFromText(`${name}.`),
    rrsets: [{ type: TYPE.A, ttlSeconds: 60, rdata }],
  }))
  const serial = zone.version.serial + 1n
  zone.apply(changes, { serial, feedId: 'f', token: String(serial) })
}

function counting(sizes?: CountSizes) {
  const zones = new Zones(new ZoneTable())
  const zone = zoneIn(zones, 'home.test', ['a.home.test', 'b.home.test', '*.w.home.test'])
  zoneIn(zones, 'other.test', ['a.other.test'])
  const { reader } = zones.table
  const hot = new HotPath(reader)
  const table = createCountTable('udp', sizes)
  const counter = new QueryCounter({ table, reader, hot, seed: 0x5eed })
  const ask = (name: string, client: CountedAddress = HOME, type: number = TYPE.A) => {
    const packet = query(name, type)
    expect(hot.answer(packet, packet.length, out)).toBeGreaterThan(0)
    counter.count(client, type, hot.outcome)
  }
  return { zones, zone, table, counter, hot, ask }
}

/** The facets with queries: dimension, value and number. */
const facetsIn = ({ counters }: CountedName) =>
  COUNTERS.flatMap(([dimension, value], index) =>
    counters[index] === 0 ? [] : [[dimension, value, counters[index] ?? 0] as const],
  )

const namesOf = (table: CountTable, half: 0 | 1 = activeHalf(table)) => {
  const names = [...linesOfHalves([table], () => half)].flatMap((lines) => [...namesIn(lines)])
  for (const name of names) {
    const total = name.networks.reduce((sum, [, queries]) => sum + queries, 0)
    for (const dimension of DIMENSIONS) {
      const values = facetsIn(name).filter(([each]) => each === dimension)
      expect(values.reduce((sum, [, , queries]) => sum + queries, 0)).toBe(total)
    }
  }
  return names
}

const rowsOf = (table: CountTable, half: 0 | 1 = activeHalf(table)) =>
  namesOf(table, half)
    .flatMap(({ zone, kind, name, networks }) =>
      networks.map(([network, queries]) => `${zone} ${kind} ${name} ${network} ${queries}`),
    )
    .sort()

const facetsOf = (table: CountTable) =>
  namesOf(table)
    .map((each) => [`${each.kind} ${each.name}`, ...facetsIn(each).map((facet) => facet.join(' '))])
    .sort(([one = ''], [other = '']) => one.localeCompare(other))

describe('QueryCounter', () => {
  it('counts names by network, in any letter case', () => {
    const { ask, table } = counting()
    ask('a.home.test')
    ask('A.HOME.test')
    ask('a.home.test', ipv4(0xc00002ff | 0))
    ask('a.home.test', ipv4(0xc0000301 | 0))
    ask('b.home.test')
    ask('a.other.test')
    expect(rowsOf(table)).toEqual([
      'home.test name a.home.test 192.0.2.0/24 3',
      'home.test name a.home.test 192.0.3.0/24 1',
      'home.test name b.home.test 192.0.2.0/24 1',
      'other.test name a.other.test 192.0.2.0/24 1',
    ])
  })

  it('counts IPv6 networks of 48 bits, apart from IPv4 of the same octets', () => {
    const { ask, table } = counting()
    const words = [0x20010db8, 0x00010002, 3, 4]
    ask('a.home.test', { family: 6, words: Int32Array.from(words) })
    ask('a.home.test', {
      family: 6,
      words: Int32Array.from([...words.slice(0, 1), 0x0001ffff, 0, 9]),
    })
    ask('a.home.test', { family: 6, words: Int32Array.of(0xc0000200 | 0, 0, 0, 0) })
    ask('a.home.test')
    expect(rowsOf(table)).toEqual([
      'home.test name a.home.test 192.0.2.0/24 1',
      'home.test name a.home.test 2001:db8:1::/48 2',
      'home.test name a.home.test c000:200::/48 1',
    ])
  })

  it('counts wildcard answers for the wildcard, and missing names for their closest encloser or the zone', () => {
    const { ask, table } = counting()
    for (const name of ['x.w.home.test', 'y.z.w.home.test', '*.w.home.test', 'w.home.test'])
      ask(name)
    for (const name of ['n1.home.test', 'x.n2.home.test', 'n.other.test']) ask(name)
    for (const name of ['n1.a.home.test', 'n2.n3.a.home.test', 'a.home.test']) ask(name)
    ask('home.test')
    expect(rowsOf(table)).toEqual([
      'home.test name *.w.home.test 192.0.2.0/24 3',
      'home.test name a.home.test 192.0.2.0/24 1',
      'home.test name home.test 192.0.2.0/24 1',
      'home.test name w.home.test 192.0.2.0/24 1',
      'home.test nxdomain a.home.test 192.0.2.0/24 2',
      'home.test nxdomain null null 2',
      'other.test nxdomain null null 1',
    ])
  })

  it('counts types, outcomes and families of each name', () => {
    const { ask, table, counter, hot } = counting()
    const ipv6: CountedAddress = { family: 6, words: Int32Array.of(0x20010db8, 1, 0, 0) }
    for (let time = 0; time < 3; time++) ask('a.home.test')
    ask('a.home.test', ipv4(0xc0000301 | 0))
    ask('a.home.test', ipv6)
    ask('a.home.test', ipv6, TYPE.AAAA)
    // Types with a word in each slot, without one, and unknown.
    for (const type of [42, TYPE.HTTPS, TYPE.PTR, TYPE.SSHFP, TYPE.CAA, 999]) {
      ask('a.home.test', HOME, type)
    }
    counter.count(HOME, TYPE.A, OUTCOME.OTHER)
    expect(hot.outcome).toBe(OUTCOME.NODATA)
    ask('x.a.home.test', ipv6, TYPE.MX)
    ask('missing.home.test', ipv6)
    ask('missing.home.test', HOME, TYPE.SVCB)
    expect(facetsOf(table)).toEqual([
      [
        'name a.home.test',
        'type A 6',
        'type AAAA 1',
        'type HTTPS 1',
        'type CAA 1',
        'type PTR 1',
        'type other 3',
        'rcode NOERROR 5',
        'rcode NODATA 7',
        'rcode other 1',
        'transport udp 13',
        'family ipv4 11',
        'family ipv6 2',
      ],
      ['nxdomain a.home.test', 'type MX 1', 'rcode NXDOMAIN 1', 'transport udp 1', 'family ipv6 1'],
      [
        'nxdomain null',
        'type A 1',
        'type SVCB 1',
        'rcode NXDOMAIN 2',
        'transport udp 2',
        'family ipv4 1',
        'family ipv6 1',
      ],
    ])
    emptyHalf(table, activeHalf(table))
    ask('a.home.test')
    expect(facetsOf(table)).toEqual([
      ['name a.home.test', 'type A 1', 'rcode NOERROR 1', 'transport udp 1', 'family ipv4 1'],
    ])
  })

  it('continues with a name whose entry is replaced, and with a recreated zone', () => {
    const { ask, table, zone, zones } = counting()
    ask('a.home.test')
    put(zone, ['a.home.test'], 2)
    ask('a.home.test')
    zoneIn(zones, 'home.test', ['a.home.test'])
    ask('a.home.test')
    const counts = rowsOf(table).map((row) => Number(row.split(' ').at(-1)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(3)
    expect(rowsOf(table).every((row) => row.includes(' a.home.test 192.0.2.0/24 '))).toBe(true)
  })

  it('counts in the other half after a swap, and an emptied half is empty', () => {
    const { ask, table } = counting()
    ask('a.home.test')
    changeHalf(table)
    ask('b.home.test')
    expect(rowsOf(table, 0)).toEqual(['home.test name a.home.test 192.0.2.0/24 1'])
    expect(rowsOf(table, 1)).toEqual(['home.test name b.home.test 192.0.2.0/24 1'])
    emptyHalf(table, 0)
    expect([isEmptyHalf(table, 0), isEmptyHalf(table, 1)]).toEqual([true, false])
    expect(rowsOf(table, 0)).toEqual([])
    changeHalf(table)
    ask('a.home.test')
    expect(rowsOf(table, 0)).toHaveLength(1)
  })
})

describe('a flood', () => {
  const SMALL = { countSlots: 64, nameSlots: 32, octets: 4096 }

  it('of sources: names are still counted, without their networks', () => {
    const { ask, table } = counting(SMALL)
    for (let n = 0; n < 1_000; n++)
      ask('a.home.test', ipv4(n << 8), n % 2 === 0 ? TYPE.A : TYPE.TXT)
    ask('b.home.test')
    ask('b.home.test', ipv4(0xc6336400 | 0))
    expect(facetsOf(table)[0]?.slice(0, 3)).toEqual([
      'name a.home.test',
      'type A 500',
      'type TXT 500',
    ])
    const { network, name, zone, none } = countedBy(table)
    expect(network).toBeGreaterThan(30)
    expect(network).toBeLessThanOrEqual(50)
    expect([network + name, zone, none]).toEqual([1_002, 0, 0])
    expect(rowsOf(table)).toContain(`home.test name a.home.test null ${name - 1}`)
    // The first network of a name always has a place.
    expect(rowsOf(table)).toContain('home.test name b.home.test 192.0.2.0/24 1')
    expect(rowsOf(table)).toContain('home.test name b.home.test null 1')
  })

  it('of existing names: the zone is still counted, and every query counts once', () => {
    const { ask, table, zone } = counting(SMALL)
    const names = Array.from({ length: 200 }, (_, n) => `many${n}.home.test`)
    put(zone, names)
    for (const name of names) ask(name)
    const counts = rowsOf(table).map((row) => Number(row.split(' ').at(-1)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(200)
    const other = rowsOf(table).find((row) => row.includes('home.test other'))
    expect(other).toBe(`home.test other null null ${countedBy(table).zone}`)
    expect(countedBy(table).none).toBe(0)
  })

  it('of zones: counts without a slot lose their detail', () => {
    const { zones, ask, table } = counting({ countSlots: 16, nameSlots: 8, octets: 64 })
    for (let n = 0; n < 20; n++) {
      zoneIn(zones, `zone${n}.test`, [])
      ask(`zone${n}.test`)
      ask(`none.zone${n}.test`)
    }
    const { network, name, zone, none } = countedBy(table)
    expect(none).toBeGreaterThan(0)
    expect(network + name + zone + none).toBe(40)
  })
})
