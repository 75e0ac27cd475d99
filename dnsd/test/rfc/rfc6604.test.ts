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

  it('says nothing of names in other zones, even of one that it serves', () => {
    const other = zoneFromText('other.test.', 'here 60 A 192.0.2.1')
    const reply = asking(home, other)('out.home.test', 'A')
    expect([reply.rcode, reply.authority]).toEqual(['NOERROR', []])
    expect(reply.answer).toEqual(['out.home.test 60 CNAME nobody.other.test'])
  })

  it('does not take a name of a zone below for one of its own', () => {
    const parent = zoneFromText('home.test.', 'w 60 CNAME x.child')
    const child = zoneFromText('child.home.test.', 'x 60 A 192.0.2.2')
    const reply = asking(parent, child)('w.home.test', 'A')
    expect([reply.rcode, reply.answer]).toEqual([
      'NOERROR',
      ['w.home.test 60 CNAME x.child.home.test'],
    ])
  })
})
