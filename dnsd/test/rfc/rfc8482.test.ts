import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 8482 §4.1: ANY is answered with one RRset', () => {
  const ask = asking(
    zoneFromText(
      'home.test.',
      `
    @     3600 NS    ns1
    @     3600 TXT   "${'x'.repeat(200)}"
    alice 60   TXT   "${'x'.repeat(200)}"
    alice 60   AAAA  2001:db8::1
    alice 60   A     192.0.2.1
    w     60   CNAME alice
    *.any 60   A     192.0.2.7
    *.any 60   TXT   "long enough"
    withheld
  `,
    ),
  )

  it.each([
    ['alice.home.test', ['alice.home.test 60 A 192.0.2.1']],
    ['w.home.test', ['w.home.test 60 CNAME alice.home.test']],
    ['x.any.home.test', ['x.any.home.test 60 A 192.0.2.7']],
    ['home.test', ['home.test 3600 NS ns1.home.test']],
    ['withheld.home.test', []],
  ])('%s: the smallest, over UDP and TCP', (name, answer) => {
    for (const transport of ['udp', 'tcp'] as const) {
      const reply = ask(name, 'ANY', { transport })
      expect([reply.rcode, reply.flags, reply.answer]).toEqual(['NOERROR', 'qr aa', answer])
    }
  })

  it('NXDOMAIN as for any type', () => {
    expect(ask('nobody.home.test', 'ANY').rcode).toBe('NXDOMAIN')
  })
})

describe('RFC 8482 §4.3 and §7: ANY never gets a large answer', () => {
  const texts = Array.from({ length: 60 }, (_, n) => `big 60 TXT "${'x'.repeat(200)}${n}"`)
  const zone = zoneFromText('home.test.', [...texts, 'big 60 A 192.0.2.1'].join('\n'))

  it('with any other records, over UDP and TCP', () => {
    for (const transport of ['udp', 'tcp'] as const) {
      const reply = asking(zone)('big.home.test', 'ANY', { transport, edns: {} })
      expect([reply.answer, reply.flags]).toEqual([['big.home.test 60 A 192.0.2.1'], 'qr aa'])
      expect(reply.octets.length).toBeLessThan(80)
    }
  })

  it('the answer is the same each time', () => {
    const twice = [1, 2].map(() => asking(zone)('big.home.test', 'ANY').octets)
    expect(twice[0]).toEqual(twice[1])
  })

  it('below a cut it is a referral, below a DNAME its CNAME', () => {
    const other = asking(zoneFromText('home.test.', 'cut 60 NS ns.other.\nold 60 DNAME new'))
    expect(other('x.cut.home.test', 'ANY').authority).toEqual(['cut.home.test 60 NS ns.other'])
    const reply = other('x.old.home.test', 'ANY')
    expect([reply.rcode, reply.answer.length]).toEqual(['NOERROR', 2])
  })
})
