import { describe, expect, it } from 'vitest'
import { nameFromText } from '../../src/names/index.ts'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

// "alice.home.test." with its lengths, as octets without a meaning in unknown types.
const NAME_IN_HEX = nameFromText('alice.home.test.').toString('hex')

const ask = asking(
  zoneFromText(
    'home.test.',
    `
  u     60 TYPE65280 \\# 4 0A000001
  u     60 TYPE731   \\# 0
  u     60 TYPE62347 \\# ${NAME_IN_HEX.length / 2} ${NAME_IN_HEX}
  alice 60 A         192.0.2.1
  rfc1035 60 NS      alice
  rfc1035 60 DS      1 13 2 ${'AB'.repeat(32)}
  c     60 CNAME     alice
  p     60 PTR       alice
  m     60 MX        1 alice
  s     60 SRV       1 2 3 alice
  n     60 NAPTR     1 2 "s" "x" "" alice
  d     60 DNAME     alice
  b     60 SVCB      1 alice
  h     60 HTTPS     1 alice
  rp    60 TYPE17    \\# ${NAME_IN_HEX.length / 2 + 1} ${NAME_IN_HEX}00
  mb    60 TYPE7     \\# ${NAME_IN_HEX.length / 2} ${NAME_IN_HEX}
  afsdb 60 TYPE18    \\# ${NAME_IN_HEX.length / 2 + 2} 0001${NAME_IN_HEX}
`,
  ),
)

describe('RFC 3597 §3: unknown types', () => {
  it.each([
    [65_280, ['u.home.test 60 TYPE65280 0a000001']],
    [731, ['u.home.test 60 TYPE731 ']],
    [62_347, [`u.home.test 60 TYPE62347 ${NAME_IN_HEX}`]],
    [65_281, []],
  ])('TYPE%i is stored and answered unchanged', (type, answer) => {
    for (const transport of ['udp', 'tcp'] as const) {
      const reply = ask('u.home.test', type, { transport })
      expect([reply.rcode, reply.answer]).toEqual(['NOERROR', answer])
    }
  })
})

describe('RFC 3597 §4: names in RDATA', () => {
  const writtenOut = (name: string, type: string | number) =>
    ask(name, type).octets.includes(Buffer.from(NAME_IN_HEX, 'hex'))

  it.each([
    ['s', 'SRV'],
    ['n', 'NAPTR'],
    ['d', 'DNAME'],
    ['b', 'SVCB'],
    ['h', 'HTTPS'],
    ['rp', 17],
    ['afsdb', 18],
    ['mb', 7],
    ['u', 62_347],
  ])('of %s, type %s, are not compressed', (label, type) => {
    expect(writtenOut(`${label}.home.test`, type)).toBe(true)
  })

  it.each([
    ['c', 'CNAME'],
    ['p', 'PTR'],
    ['m', 'MX'],
    ['x.rfc1035', 'A'],
    ['gone', 'SOA'],
  ])('of %s, type %s, are: RFC 1035 defines it', (label, type) => {
    expect(writtenOut(`${label}.home.test`, type)).toBe(false)
  })

  it('are not the target of a pointer either, in unknown types', () => {
    // Every pointer of this answer leads into the question.
    const { octets } = ask('u.home.test', 62_347)
    const rdataAt = octets.length - NAME_IN_HEX.length / 2
    expect(octets.readUInt16BE(rdataAt - 12)).toBe(0xc00c)
    expect(octets.subarray(rdataAt).toString('hex')).toBe(NAME_IN_HEX)
  })
})
