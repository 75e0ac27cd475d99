import { describe, expect, it } from 'vitest'
import { nameFromText } from '../../src/names/index.ts'
import { Zone } from '../../src/zone/index.ts'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 2308 §2: NXDOMAIN and NODATA', () => {
  const ask = asking(
    zoneFromText('home.test.', 'alice 60 A 192.0.2.1\nw 60 CNAME alice\ng 60 CNAME nobody'),
  )
  const soa = 'home.test 60 SOA ns1.home.test hostmaster.home.test 7 3600 600 1209600 60'

  it.each([
    ['nobody.home.test', 'A', 'NXDOMAIN', []],
    ['alice.home.test', 'AAAA', 'NOERROR', []],
    ['w.home.test', 'AAAA', 'NOERROR', ['w.home.test 60 CNAME alice.home.test']],
    ['g.home.test', 'A', 'NXDOMAIN', ['g.home.test 60 CNAME nobody.home.test']],
  ])('%s %s is %s with authority and the SOA', (name, type, rcode, answer) => {
    const reply = ask(name, type)
    expect([reply.rcode, reply.flags, reply.answer]).toEqual([rcode, 'qr aa', answer])
    expect(reply.authority).toEqual([soa])
  })
})

describe('RFC 2308 §3 and §5: the negative TTL', () => {
  it.each([
    [3600, 60, 60],
    [30, 60, 30],
    [0, 60, 0],
  ])('SOA TTL %i and MINIMUM %i make %i', (ttlSeconds, minimumSeconds, expected) => {
    const apex = nameFromText('home.test.')
    const numbers = { refreshSeconds: 1, retrySeconds: 1, expireSeconds: 1, minimumSeconds }
    const soa = { mname: apex, rname: apex, ...numbers, ttlSeconds }
    const ask = asking(new Zone(apex, { serial: 1n, feedId: 'f', token: 't' }, soa))
    expect(ask('x.home.test', 'A').authority[0]).toContain(`home.test ${expected} SOA`)
    expect(ask('home.test', 'SOA').answer[0]).toContain(`home.test ${ttlSeconds} SOA`)
  })
})

describe('RFC 2308 §2.2: NODATA, whatever makes the name exist', () => {
  const ask = asking(
    zoneFromText(
      'home.test.',
      `
      a.b     60 A     192.0.2.1
      *.w     60 A     192.0.2.2
      held
      cut     60 NS    ns.other.
      x.*.v   60 A     192.0.2.3
    `,
    ),
  )

  it.each([
    ['a name without such records', 'a.b'],
    ['an empty non-terminal', 'b'],
    ['a name below a wildcard', 'any.w'],
    ['the wildcard itself', '*.w'],
    ['a name that is kept empty', 'held'],
    ['the apex', '@'],
    ['a name below an empty wildcard', 'any.v'],
  ])('%s', (_what, label) => {
    const name = label === '@' ? 'home.test' : `${label}.home.test`
    const reply = ask(name, 'AAAA')
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['NOERROR', 'qr aa', []])
    expect(reply.authority).toHaveLength(1)
    expect(reply.authority[0]).toContain('home.test 60 SOA')
  })

  it('§2.2: differs from a referral, which has no SOA', () => {
    const reply = ask('x.cut.home.test', 'AAAA')
    expect([reply.flags, reply.authority]).toEqual(['qr', ['cut.home.test 60 NS ns.other']])
  })
})

describe('RFC 2308 §3: the SOA is that of the zone that answers', () => {
  const parent = zoneFromText('home.test.', 'child 60 NS ns.child')
  const child = zoneFromText('child.home.test.', '@ 60 NS ns')
  const ask = asking(parent, child)

  it.each([
    ['gone.home.test', 'A', 'home.test 60 SOA'],
    ['gone.child.home.test', 'A', 'child.home.test 60 SOA'],
    ['child.home.test', 'TXT', 'child.home.test 60 SOA'],
    ['child.home.test', 'DS', 'home.test 60 SOA'],
  ])('%s %s', (name, type, soa) => {
    expect(ask(name, type).authority[0]?.startsWith(soa)).toBe(true)
  })
})
