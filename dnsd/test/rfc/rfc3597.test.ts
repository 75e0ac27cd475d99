import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

const ask = asking(
  zoneFromText(
    'home.test.',
    `
  u     60 TYPE65280 \\# 4 0A000001
  u     60 TYPE731   \\# 0
  alice 60 A         192.0.2.1
  s     60 SRV       1 2 3 alice
  n     60 NAPTR     1 2 "s" "x" "" alice
`,
  ),
)

describe('RFC 3597 §3: types that are not known', () => {
  it.each([
    [65_280, ['u.home.test 60 TYPE65280 0a000001']],
    [731, ['u.home.test 60 TYPE731 ']],
    [65_281, []],
  ])('TYPE%i is kept and given as it is', (type, answer) => {
    const reply = ask('u.home.test', type)
    expect([reply.rcode, reply.answer]).toEqual(['NOERROR', answer])
  })
})

describe('RFC 3597 §4: names in RDATA', () => {
  it.each(['s.home.test', 'n.home.test'])('of %s are not compressed', (name) => {
    const { octets } = ask(name, name.startsWith('s') ? 'SRV' : 'NAPTR')
    expect(octets.includes('\u0005alice\u0004home\u0004test\0')).toBe(true)
  })
})
