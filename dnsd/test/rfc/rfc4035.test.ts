import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

const DIGEST = 'AB'.repeat(32)
const parent = zoneFromText(
  'home.test.',
  `
  signed  60 NS ns.signed
  signed  60 DS 12345 13 2 ${DIGEST}
  plain   60 NS ns.plain
  ns.signed 60 A 192.0.2.1
`,
)
const child = zoneFromText('signed.home.test.', '@ 60 NS ns\nns 60 A 192.0.2.1')

describe('RFC 4035 §3.1.4.1: DS records are on the parent side of a cut', () => {
  it.each([
    ['the parent alone', [parent]],
    ['parent and child', [parent, child]],
  ])('and are answered from there by a server of %s', (_who, zones) => {
    const reply = asking(...zones)('signed.home.test', 'DS')
    expect([reply.rcode, reply.flags, reply.answer.length]).toEqual(['NOERROR', 'qr aa', 1])
  })

  it('NODATA from the parent for a cut without DS', () => {
    const reply = asking(parent)('plain.home.test', 'DS')
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['NOERROR', 'qr aa', []])
    expect(reply.authority[0]).toContain('home.test 60 SOA')
  })

  it('NODATA from a server of only the child', () => {
    const reply = asking(child)('signed.home.test', 'DS')
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['NOERROR', 'qr aa', []])
    expect(reply.authority[0]).toContain('signed.home.test 60 SOA')
  })

  it('the child answers all other queries for its apex', () => {
    const reply = asking(parent, child)('signed.home.test', 'NS')
    expect([reply.flags, reply.answer]).toEqual([
      'qr aa',
      ['signed.home.test 60 NS ns.signed.home.test'],
    ])
  })
})

describe('RFC 4035 §3.1.6: the CD bit is copied and AD is not', () => {
  it('in answers and refusals', () => {
    const options = { checkingDisabled: true }
    expect(asking(parent)('signed.home.test', 'DS', options).flags).toBe('qr aa cd')
    expect(asking(parent)('example', 'A', options).flags).toBe('qr cd')
  })
})

describe('RFC 4035 §3.1: types of signed zones', () => {
  it.each(['DNSKEY', 'DS', 'NSEC', 'RRSIG', 'NSEC3PARAM', 'CDS'])(
    '%s is NODATA in a zone that is not signed',
    (type) => {
      const reply = asking(parent)('home.test', type)
      expect([reply.rcode, reply.answer, reply.authority.length]).toEqual(['NOERROR', [], 1])
    },
  )
})
