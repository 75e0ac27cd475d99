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
