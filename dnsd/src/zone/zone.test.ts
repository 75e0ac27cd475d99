import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameFromText, nameKey, nameToText, TYPE } from '../names/index.ts'
import { CUTS_BELOW, HAS_WILDCARD } from '../table/index.ts'
import { OwnerStateError, type OwnerState, type RRset } from './rrset.ts'
import { address, alias, emptyZone, key, name, apex, soa, state, version } from './test-support.ts'
import { Zone } from './zone.ts'

/** The SOA serial in an answer. */
const servedSerial = (zone: Zone) => zone.soa.rdata[0]?.subarray(-20).readUInt32BE(0)

describe('Zone', () => {
  it('has an apex with a SOA from the start', () => {
    const zone = emptyZone()
    expect(zone.node(zone.key)?.rrset(TYPE.SOA)).toEqual(zone.soa)
    expect(servedSerial(zone)).toBe(1)
    expect(zone.nameCount).toBe(1)
    expect([...zone.owners()]).toEqual([])
  })

  it('RFC 4343 §4.1: finds a published name in any letter case, and stores it in lower case', () => {
    const zone = emptyZone()
    zone.apply([state('Living-Room', [address(1)])], version(2n))
    expect(zone.node(key('LIVING-room'))?.rrset(TYPE.A)).toEqual(address(1))
    expect([...zone.owners()].map(({ owner }) => nameToText(owner))).toEqual([
      'living-room.home.test',
    ])
  })

  it('RFC 4592 §2.2.2: creates the names between, and removes them with the last name below', () => {
    const zone = emptyZone()
    zone.apply([state('a.b.c', [address(1)]), state('d.b.c', [address(2)])], version(2n))
    expect(zone.node(key('b.c'))?.rrsets).toEqual([])
    expect(zone.nameCount).toBe(5)
    zone.apply([state('a.b.c', null)], version(3n))
    expect(zone.node(key('a.b.c'))).toBeUndefined()
    expect(zone.node(key('b.c'))).toBeDefined()
    zone.apply([state('d.b.c', null)], version(4n))
    expect(zone.node(key('b.c'))).toBeUndefined()
    expect(zone.node(key('c'))).toBeUndefined()
    expect(zone.nameCount).toBe(1)
  })

  it('keeps a name without records while a name below it exists', () => {
    const zone = emptyZone()
    zone.apply([state('c', [address(1)]), state('b.c', [address(2)])], version(2n))
    zone.apply([state('c', null)], version(3n))
    expect(zone.node(key('c'))?.rrsets).toEqual([])
    expect([...zone.owners()]).toEqual([state('b.c', [address(2)])])
  })

  it('keeps a name that is published without records, and lists it', () => {
    const zone = emptyZone()
    zone.apply([state('withheld', [])], version(2n))
    expect(zone.node(key('withheld'))?.rrsets).toEqual([])
    expect([...zone.owners()]).toEqual([state('withheld', [])])
  })

  it('keeps its records when the octets that they were read from are overwritten', () => {
    const read = { owner: Buffer.from(apex), rrsets: [address(1)] }
    const [octets] = read.rrsets[0]?.rdata ?? []
    const zone = emptyZone()
    zone.apply([read], version(2n))
    octets?.fill(0xff)
    expect([...zone.owners()]).toEqual([{ owner: apex, rrsets: [address(1)] }])
    zone.apply([], version(3n))
    expect(zone.node(zone.key)?.rrset(TYPE.A)).toEqual(address(1))
  })

  it('accepts the removal of a name that does not exist', () => {
    const zone = emptyZone()
    zone.apply([state('nobody', null), state('a.nobody', null)], version(2n))
    expect(zone.nameCount).toBe(1)
    expect(zone.version.serial).toBe(2n)
  })

  it('keeps the SOA at the apex after any change there', () => {
    const zone = emptyZone()
    const ns: RRset = { type: TYPE.NS, ttlSeconds: 3600, rdata: [soa.mname] }
    zone.apply([state('@', [ns])], version(2n))
    const apex = zone.node(zone.key)
    expect(apex?.rrsets.map(({ type }) => type)).toEqual([TYPE.SOA, TYPE.NS])
    expect(apex?.delegates).toBe(false)
    expect([...zone.owners()]).toEqual([state('@', [ns])])
    zone.apply([state('@', null)], version(3n))
    expect(zone.node(zone.key)?.rrsets).toEqual([zone.soa])
    expect([...zone.owners()]).toEqual([])
  })

  it('marks cuts and redirections', () => {
    const zone = emptyZone()
    zone.apply(
      [
        state('cut', [{ type: TYPE.NS, ttlSeconds: 60, rdata: [name('ns.cut')] }]),
        state('moved', [{ type: TYPE.DNAME, ttlSeconds: 60, rdata: [name('new')] }]),
      ],
      version(2n),
    )
    expect(zone.node(key('cut'))?.delegates).toBe(true)
    expect(zone.node(key('moved'))?.redirects).toBe(true)
    zone.apply([state('cut', [address(1)]), state('moved', [])], version(3n))
    expect(zone.node(key('cut'))?.delegates).toBe(false)
    expect(zone.node(key('moved'))?.redirects).toBe(false)
  })

  it('serves the serial modulo 2^32 and never 0', () => {
    const zone = emptyZone()
    zone.apply([], version(2n ** 32n + 7n))
    expect(servedSerial(zone)).toBe(7)
  })

  it('marks names with a wildcard below, and an apex of a zone with cuts', () => {
    const zone = emptyZone()
    const flags = (text: string, flag: number) =>
      (zone.table.flagsOf(zone.find(key(text))) & flag) !== 0
    const ns: RRset = { type: TYPE.NS, ttlSeconds: 60, rdata: [soa.mname] }
    zone.apply([state('*.a', [address(1)]), state('*', []), state('b', [ns])], version(2n))
    expect(flags('a', HAS_WILDCARD)).toBe(true)
    expect(flags('@', HAS_WILDCARD)).toBe(true)
    expect(flags('b', HAS_WILDCARD)).toBe(false)
    expect(flags('@', CUTS_BELOW)).toBe(true)
    zone.apply([state('a', [address(2)]), state('*', null), state('b', null)], version(3n))
    expect(flags('a', HAS_WILDCARD)).toBe(true)
    expect(flags('@', HAS_WILDCARD)).toBe(false)
    expect(flags('@', CUTS_BELOW)).toBe(false)
    zone.apply([state('*.a', null), state('@', [{ ...ns, type: TYPE.DNAME }])], version(4n))
    expect(flags('a', HAS_WILDCARD)).toBe(false)
    expect(flags('@', CUTS_BELOW)).toBe(true)
  })

  it('accepts the largest RRsets and refuses those that no message can carry', () => {
    const zone = emptyZone()
    const records = Array.from({ length: 600 }, () => Buffer.alloc(100))
    const large: RRset = { type: TYPE.TXT, ttlSeconds: 1, rdata: records }
    zone.apply([state('large', [large])], version(2n))
    expect(zone.node(key('large'))?.rrset(TYPE.TXT)).toEqual(large)
    const larger = { ...large, rdata: [...records, Buffer.alloc(5000)] }
    expect(() => zone.apply([state('a', [larger])], version(3n))).toThrow(OwnerStateError)
    const many = Array.from({ length: 20 }, (_, index) => ({ ...large, type: 1000 + index }))
    expect(() => zone.apply([state('a', many)], version(3n))).toThrow(OwnerStateError)
  })

  it('changes the other SOA fields with a version', () => {
    const zone = emptyZone()
    zone.apply([], version(2n), { ...soa, minimumSeconds: 30 })
    expect(zone.negativeSoa.ttlSeconds).toBe(30)
    expect(zone.soa.ttlSeconds).toBe(3600)
  })

  it('RFC 2308 §5: limits the negative TTL by MINIMUM and by the TTL of the SOA', () => {
    expect(emptyZone().negativeSoa.ttlSeconds).toBe(60)
    const shortSoa = new Zone(apex, version(1n), { ...soa, ttlSeconds: 20 })
    expect(shortSoa.negativeSoa.ttlSeconds).toBe(20)
  })

  const unservable: [string, OwnerState][] = [
    ['a name of another zone', { owner: nameFromText('a.other.test.'), rrsets: [address(1)] }],
    ['the removal of one', { owner: nameFromText('other.test.'), rrsets: null }],
    [
      'a name that only ends in the same letters',
      { owner: nameFromText('ahome.test.'), rrsets: [] },
    ],
    ['two sets of one type', state('a', [address(1), address(2)])],
    ['a set without records', state('a', [{ ...address(1), rdata: [] }])],
    ['a negative TTL', state('a', [{ ...address(1), ttlSeconds: -1 }])],
    ['a TTL of 32 bits', state('a', [{ ...address(1), ttlSeconds: 2 ** 31 }])],
    ['a broken TTL', state('a', [{ ...address(1), ttlSeconds: 1.5 }])],
    ['OPT', state('a', [{ ...address(1), type: TYPE.OPT }])],
    ['ANY', state('a', [{ ...address(1), type: TYPE.ANY }])],
    ['a SOA', state('@', [{ ...address(1), type: TYPE.SOA }])],
    ['type 0', state('a', [{ ...address(1), type: 0 }])],
    ['type 65536', state('a', [{ ...address(1), type: 65_536 }])],
    ['oversize RDATA', state('a', [{ ...address(1), rdata: [Buffer.alloc(65_536)] }])],
    ['a CNAME beside an address', state('a', [alias, address(1)])],
    ['a CNAME beside a DNAME', state('a', [{ ...alias, type: TYPE.DNAME }, alias])],
    ['a CNAME at the apex', state('@', [alias])],
    ['two CNAMEs', state('a', [{ type: TYPE.CNAME, ttlSeconds: 1, rdata: [apex, soa.mname] }])],
  ]
  it.each(unservable)('refuses %s and the whole change set with it', (_what, bad) => {
    const zone = emptyZone()
    expect(() => zone.apply([state('good', [address(1)]), bad], version(2n))).toThrow(
      OwnerStateError,
    )
    expect(zone.nameCount).toBe(1)
    expect(zone.version).toEqual(version(1n))
    expect(servedSerial(zone)).toBe(1)
  })

  it('RFC 4034 §2.5: accepts an alias with DNSSEC records', () => {
    const zone = emptyZone()
    const signature = { type: TYPE.RRSIG, ttlSeconds: 60, rdata: [Buffer.alloc(20)] }
    zone.apply([state('a', [alias, signature, { ...signature, type: TYPE.NSEC }])], version(2n))
    expect(zone.node(key('a'))?.rrsets).toHaveLength(3)
  })

  it('changes nothing when the SOA is invalid', () => {
    const zone = emptyZone()
    const broken = { ...soa, refreshSeconds: -1 }
    expect(() => zone.apply([state('good', [address(1)])], version(2n), broken)).toThrow(RangeError)
    expect(zone.nameCount).toBe(1)
  })

  it('has the same names after any history of changes as a zone built from its end', () => {
    const label = fc.constantFrom('a', 'b', '*')
    const owner = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
    const rrsets = fc.constantFrom(null, [], [address(1)], [address(2)])
    const change = fc.tuple(owner, rrsets)
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const zone = emptyZone()
        const final = new Map<string, OwnerState>()
        changes.forEach(([text, sets], index) => {
          zone.apply([state(text, sets)], version(BigInt(index + 2)))
          final.set(text, state(text, sets))
        })
        const rebuilt = emptyZone()
        rebuilt.apply([...final.values()], version(2n))
        expect(zone.nameCount).toBe(rebuilt.nameCount)
        for (const { owner: wire } of [...zone.owners(), ...rebuilt.owners()]) {
          expect(zone.node(nameKey(wire))?.state).toEqual(rebuilt.node(nameKey(wire))?.state)
        }
        const adopted = emptyZone()
        for (const piece of zone.pieces()) adopted.adopt(piece)
        expect(adopted.nameCount).toBe(zone.nameCount)
        expect([...adopted.owners()]).toEqual([...zone.owners()])
        // Names disappear by themselves again, from a tree that was rebuilt.
        const withdrawn = [...zone.owners()].map((each) => ({ ...each, rrsets: null }))
        adopted.apply(withdrawn, version(3n))
        expect(adopted.nameCount).toBe(1)
      }),
      { seed: 4592, numRuns: 300 },
    )
  })
})

describe('Zone.closestEncloser', () => {
  const zone = emptyZone()
  zone.apply([state('x.y.z', [address(1)]), state('*.z', [address(2)])], version(2n))

  it.each([
    ['x.y.z', 'x.y.z', true],
    ['X.Y.z', 'x.y.z', true],
    ['y.z', 'y.z', true],
    ['a.x.y.z', 'x.y.z', false],
    ['a.b.y.z', 'y.z', false],
    ['q', '@', false],
    ['@', '@', true],
    ['*.z', '*.z', true],
    ['a.*.z', '*.z', false],
  ])('RFC 4592 §3.3.1: of %s is %s', (asked, encloser, exact) => {
    const found = zone.closestEncloser(key(asked))
    expect(found.key).toBe(key(encloser))
    expect(found.node.owner).toEqual(name(encloser))
    expect(found.exact).toBe(exact)
  })

  it('refuses a name of another zone', () => {
    expect(() => zone.closestEncloser(nameKey(nameFromText('other.test.')))).toThrow(RangeError)
  })
})
