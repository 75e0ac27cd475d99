import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { requestOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const ask = asking(
  zoneFromText(
    'Home.Test.',
    `
    Alice 60 A     192.0.2.1
    a_b   60 A     192.0.2.2
    w     60 CNAME MiXeD.Other.
  `,
  ),
)

describe('RFC 4343 §3: letter case does not matter, only for ASCII letters', () => {
  it.each(['alice.home.test', 'ALICE.HOME.TEST', 'aLiCe.HoMe.tEsT'])('%s is found', (name) => {
    expect(ask(name, 'A').answer).toEqual([`${name} 60 A 192.0.2.1`])
  })

  it.each([
    ['DEL for underscore', 'a\x7fb'],
    ['a backquote for an at sign', 'a`b'],
    ['NUL for a space', 'a\0b'],
  ])('%s is another name', (_what, label) => {
    const name = Buffer.from(`\u0003${label}\u0004home\u0004test\0`, 'latin1')
    expect(ask(name, 'A').rcode).toBe('NXDOMAIN')
  })

  it('does not fold letters beyond ASCII', () => {
    const name = (octet: number) =>
      Buffer.concat([Buffer.from([1, octet]), Buffer.from('\u0004home\u0004test\0')])
    const zone = asking(zoneFromText('home.test.', '\\228 60 A 192.0.2.3'))
    expect([zone(name(228), 'A').rcode, zone(name(196), 'A').rcode]).toEqual([
      'NOERROR',
      'NXDOMAIN',
    ])
  })
})

describe('RFC 4343 §4.1: letter case is preserved', () => {
  it('of the question, octet by octet, for any outcome', () => {
    for (const name of [
      'aLICE.hOmE.teST',
      'nObOdY.HomE.tEst',
      'eLsEwHeRe.ExAmPlE',
      'W.hOME.test',
    ]) {
      const packet = requestOctets(name, 'A')
      const { octets } = ask(name, 'A')
      expect(octets.subarray(12, packet.length)).toEqual(packet.subarray(12))
    }
  })

  it('of published names', () => {
    expect(ask('w.home.test', 'CNAME').answer).toEqual(['w.home.test 60 CNAME MiXeD.Other'])
  })
})

describe('RFC 4343 §4: in any letter case, the answer is the same except for the question', () => {
  const records = (name: string, type: string) => {
    const reply = ask(name, type)
    const lower = (lines: readonly string[]) => lines.map((line) => line.toLowerCase())
    return [reply.rcode, reply.flags, lower(reply.answer), lower(reply.authority)]
  }

  it.each([
    ['alice.home.test', 'A'],
    ['alice.home.test', 'TXT'],
    ['w.home.test', 'A'],
    ['nobody.home.test', 'A'],
    ['home.test', 'SOA'],
  ])('%s %s', (name, type) => {
    // Upper case from each letter on.
    const ways = Array.from(name, (_, at) => name.slice(0, at) + name.slice(at).toUpperCase())
    for (const way of ways) expect(records(way, type)).toEqual(records(name, type))
    expect(ways.length).toBeGreaterThan(8)
  })

  it('of the same length, too, because compression ignores it', () => {
    const lengths = ['nobody.home.test', 'NOBODY.home.TEST', 'nobody.HOME.test'].map(
      (name) => ask(name, 'A').octets.length,
    )
    expect(new Set(lengths).size).toBe(1)
  })
})

describe('RFC 4343 §4.1: where a name in RDATA ends like the question', () => {
  it('the end is a pointer, and so has the letter case of the question', () => {
    const zone = asking(zoneFromText('home.test.', 'p 60 PTR Alice.Home.Test.'))
    expect(zone('p.HOME.test', 'PTR').answer).toEqual(['p.HOME.test 60 PTR Alice.HOME.test'])
  })

  it('but not in types that are not compressed', () => {
    const zone = asking(zoneFromText('home.test.', 's 60 SRV 0 0 1 Alice.Home.Test.'))
    expect(zone('s.HOME.test', 'SRV').answer).toEqual(['s.HOME.test 60 SRV 0 0 1 Alice.Home.Test'])
  })
})
