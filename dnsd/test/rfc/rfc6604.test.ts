import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

const home = zoneFromText(
  'home.test.',
  `
  a      60 CNAME b
  b      60 CNAME c
  c      60 CNAME nobody
  d      60 CNAME e
  e      60 TXT   "there"
  out    60 CNAME nobody.other.test.
  old    60 DNAME new
  q.new  60 A     192.0.2.1
`,
)
const ask = asking(home)

describe('RFC 6604 §3: the response code is that of the last name', () => {
  it.each([
    ['a.home.test', 'A', 'NXDOMAIN', 3],
    ['d.home.test', 'A', 'NOERROR', 1],
    ['d.home.test', 'TXT', 'NOERROR', 2],
    ['nobody.old.home.test', 'A', 'NXDOMAIN', 2],
    ['q.old.home.test', 'AAAA', 'NOERROR', 2],
  ])('%s %s: %s after %i records', (name, type, rcode, records) => {
    const reply = ask(name, type)
    expect([reply.rcode, reply.flags, reply.answer.length]).toEqual([rcode, 'qr aa', records])
  })

  it('does not depend on names in other zones, even on this server', () => {
    const other = zoneFromText('other.test.', 'here 60 A 192.0.2.1')
    const reply = asking(home, other)('out.home.test', 'A')
    expect([reply.rcode, reply.authority]).toEqual(['NOERROR', []])
    expect(reply.answer).toEqual(['out.home.test 60 CNAME nobody.other.test'])
  })

  it('does not treat a name of a zone below as its own', () => {
    const parent = zoneFromText('home.test.', 'w 60 CNAME x.child')
    const child = zoneFromText('child.home.test.', 'x 60 A 192.0.2.2')
    const reply = asking(parent, child)('w.home.test', 'A')
    expect([reply.rcode, reply.answer]).toEqual([
      'NOERROR',
      ['w.home.test 60 CNAME x.child.home.test'],
    ])
  })
})

describe('RFC 6604 §3: over wildcards, referrals and names that are too long', () => {
  const zone = zoneFromText(
    'home.test.',
    `
    *.w      60 CNAME nobody
    tow      60 CNAME any.w
    tocut    60 CNAME x.cut
    cut      60 NS    ns.other.
    todname  60 CNAME ${'a'.repeat(63)}.long
    long     60 DNAME ${'l'.repeat(60)}.${'m'.repeat(60)}.${'n'.repeat(60)}.home.test.
    round    60 CNAME round
  `,
  )

  it.each([
    ['q.w', 'NXDOMAIN', 'qr aa', 1],
    ['tow', 'NXDOMAIN', 'qr aa', 2],
    ['tocut', 'NOERROR', 'qr aa', 1],
    ['todname', 'YXDOMAIN', 'qr aa', 2],
    ['round', 'NOERROR', 'qr aa', 1],
  ])('%s: %s', (label, rcode, flags, records) => {
    const reply = asking(zone)(`${label}.home.test`, 'A', { transport: 'tcp' })
    expect([reply.rcode, reply.flags, reply.answer.length]).toEqual([rcode, flags, records])
  })
})

describe('RFC 6604 §2.1: AA is that of the first name', () => {
  it('in a chain that ends elsewhere, and not in a referral alone', () => {
    expect(ask('out.home.test', 'A').flags).toBe('qr aa')
    const cut = asking(zoneFromText('home.test.', 'cut 60 NS ns.other.'))
    expect(cut('x.cut.home.test', 'A').flags).toBe('qr')
  })
})
