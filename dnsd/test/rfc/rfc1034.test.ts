import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

const NEGATIVE_SOA = 'home.test 60 SOA ns1.home.test hostmaster.home.test 7 3600 600 1209600 60'

const home = zoneFromText(
  'home.test.',
  `
  @          3600  NS     ns1
  @          3600  NS     ns2
  @          300   MX     10 mail
  ns1        3600  A      192.0.2.53
  ns2        3600  A      192.0.2.54
  ns2        3600  AAAA   2001:db8::54
  mail       300   A      192.0.2.25
  alice      60    A      192.0.2.1
  alice      60    AAAA   2001:db8::1
  www        300   CNAME  alice
  ftp        300   CNAME  www
  away       300   CNAME  elsewhere.example.
  ghost      300   CNAME  nobody
  dull       300   CNAME  b.c
  a.b.c      60    A      192.0.2.2
  loop1      300   CNAME  loop2
  loop2      300   CNAME  loop1
  self       300   CNAME  self
  intocut    300   CNAME  host.cut
  cut        3600  NS     ns.cut
  cut        3600  NS     ns2
  cut        3600  NS     ns.elsewhere.example.
  ns.cut     3600  A      192.0.2.99
  deep.cut   3600  NS     ns.deep.cut
  ns.deep.cut 3600 A      192.0.2.98
  withheld
  *.open     60    A      192.0.2.7
`,
)
const ask = asking(home)

describe('RFC 1034 §4.3.1: queries and responses', () => {
  it('refuses names of other zones without an upward referral', () => {
    for (const name of ['example.', 'test.', '.', 'nothome.test.']) {
      const { rcode, flags, answer, authority, additional } = ask(name, 'A')
      expect({ rcode, flags, answer, authority, additional }).toEqual({
        rcode: 'REFUSED',
        flags: 'qr',
        answer: [],
        authority: [],
        additional: [],
      })
    }
  })
})

describe('RFC 1034 §4.3.2 step 3a: the whole name is matched', () => {
  it.each([
    ['alice.home.test', 'A', ['alice.home.test 60 A 192.0.2.1']],
    ['alice.home.test', 'AAAA', ['alice.home.test 60 AAAA 2001:db8::1']],
    ['home.test', 'MX', ['home.test 300 MX 10 mail.home.test']],
    ['home.test', 'SOA', [NEGATIVE_SOA.replace(' 60 SOA', ' 3600 SOA')]],
    ['home.test', 'NS', ['home.test 3600 NS ns1.home.test', 'home.test 3600 NS ns2.home.test']],
  ])('%s %s is answered with authority', (name, type, answer) => {
    const reply = ask(name, type)
    expect(reply.answer).toEqual(answer)
    expect([reply.rcode, reply.flags, reply.authority]).toEqual(['NOERROR', 'qr aa', []])
  })

  it.each([
    [
      'www.home.test',
      ['www.home.test 300 CNAME alice.home.test', 'alice.home.test 60 A 192.0.2.1'],
    ],
    [
      'ftp.home.test',
      [
        'ftp.home.test 300 CNAME www.home.test',
        'www.home.test 300 CNAME alice.home.test',
        'alice.home.test 60 A 192.0.2.1',
      ],
    ],
    ['away.home.test', ['away.home.test 300 CNAME elsewhere.example']],
  ])('the CNAMEs of %s are followed in order, within the zone', (name, answer) => {
    const reply = ask(name, 'A')
    expect(reply.answer).toEqual(answer)
    expect([reply.rcode, reply.flags, reply.authority]).toEqual(['NOERROR', 'qr aa', []])
  })

  it('does not follow a CNAME if the query is for CNAME', () => {
    expect(ask('ftp.home.test', 'CNAME').answer).toEqual(['ftp.home.test 300 CNAME www.home.test'])
  })

  it.each([
    ['loop1.home.test', 2],
    ['loop2.home.test', 2],
    ['self.home.test', 1],
  ])('%s ends where it started, with each CNAME once', (name, records) => {
    const reply = ask(name, 'A')
    expect(reply.answer).toHaveLength(records)
    expect([reply.rcode, reply.flags, reply.authority]).toEqual(['NOERROR', 'qr aa', []])
  })

  it('ends a very long chain after 16 CNAMEs, from where the resolver continues', () => {
    const lines = Array.from({ length: 40 }, (_, hop) => `c${hop} 60 CNAME c${hop + 1}`)
    const long = asking(zoneFromText('home.test.', [...lines, 'c40 60 A 192.0.2.1'].join('\n')))
    const reply = long('c0.home.test', 'A', { transport: 'tcp' })
    expect(reply.answer).toHaveLength(16)
    expect(reply.answer.at(-1)).toBe('c15.home.test 60 CNAME c16.home.test')
    expect([reply.rcode, reply.authority]).toEqual(['NOERROR', []])
    expect(long('c24.home.test', 'A').answer.at(-1)).toContain('CNAME c40')
    expect(long('c25.home.test', 'A').answer.at(-1)).toBe('c40.home.test 60 A 192.0.2.1')
  })
})

describe('RFC 1034 §4.3.2 step 3b: a match would leave the authoritative data', () => {
  const referral = [
    'cut.home.test 3600 NS ns.cut.home.test',
    'cut.home.test 3600 NS ns2.home.test',
    'cut.home.test 3600 NS ns.elsewhere.example',
  ]
  const addresses = [
    'ns.cut.home.test 3600 A 192.0.2.99',
    'ns2.home.test 3600 A 192.0.2.54',
    'ns2.home.test 3600 AAAA 2001:db8::54',
  ]

  it.each([
    ['cut.home.test', 'A'],
    ['cut.home.test', 'NS'],
    ['cut.home.test', 'SOA'],
    ['cut.home.test', 'ANY'],
    ['any.thing.cut.home.test', 'A'],
    ['ns.cut.home.test', 'A'],
    ['ns.deep.cut.home.test', 'A'],
    ['host.deep.cut.home.test', 'DS'],
  ])('%s %s is referred to the cut nearest to the apex, without authority', (name, type) => {
    const reply = ask(name, type)
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['NOERROR', 'qr', []])
    expect(reply.authority).toEqual(referral)
    expect(reply.additional).toEqual(addresses)
  })

  it('refers at the end of a chain, with authority for its beginning', () => {
    const reply = ask('intocut.home.test', 'A')
    expect(reply.answer).toEqual(['intocut.home.test 300 CNAME host.cut.home.test'])
    expect([reply.rcode, reply.flags, reply.authority]).toEqual(['NOERROR', 'qr aa', referral])
  })
})

describe('RFC 1034 §4.3.2 step 3c: a label does not exist', () => {
  it.each([
    ['nobody.home.test', 'NXDOMAIN'],
    ['x.alice.home.test', 'NXDOMAIN'],
    ['x.b.c.home.test', 'NXDOMAIN'],
    ['alice.home.test', 'NOERROR'],
    ['b.c.home.test', 'NOERROR'],
    ['c.home.test', 'NOERROR'],
    ['withheld.home.test', 'NOERROR'],
    ['open.home.test', 'NOERROR'],
    ['x.open.home.test', 'NOERROR'],
    ['home.test', 'NOERROR'],
  ])('%s TXT is %s with the SOA', (name, rcode) => {
    const reply = ask(name, 'TXT')
    expect([reply.rcode, reply.flags, reply.answer]).toEqual([rcode, 'qr aa', []])
    expect(reply.authority).toEqual([NEGATIVE_SOA])
    expect(reply.additional).toEqual([])
  })
})

describe('RFC 1034 §4.3.2 step 6: additional records', () => {
  it.each([
    ['home.test', 'MX', ['mail.home.test 300 A 192.0.2.25']],
    [
      'home.test',
      'NS',
      [
        'ns1.home.test 3600 A 192.0.2.53',
        'ns2.home.test 3600 A 192.0.2.54',
        'ns2.home.test 3600 AAAA 2001:db8::54',
      ],
    ],
    ['alice.home.test', 'A', []],
  ])('%s %s includes the addresses of its target names', (name, type, additional) => {
    expect(ask(name, type).additional).toEqual(additional)
  })

  it('leaves out wildcards, names of other zones and names below a cut, except for name servers', () => {
    const zone = zoneFromText(
      'home.test.',
      `
      @       60 NS  ns.cut
      @       60 NS  ns.other.test.
      mx      60 MX  10 ns.cut
      mx      60 MX  20 any.wild
      mx      60 MX  30 mail.other.test.
      mx      60 MX  0  .
      *.wild  60 A   192.0.2.7
      cut     60 NS  ns.cut
      ns.cut  60 A   192.0.2.99
    `,
    )
    const other = zoneFromText('other.test.', 'mail 60 A 192.0.2.8\nns 60 A 192.0.2.9')
    expect(asking(zone, other)('mx.home.test', 'MX').additional).toEqual([])
    expect(asking(zone, other)('home.test', 'NS').additional).toEqual([
      'ns.cut.home.test 60 A 192.0.2.99',
    ])
  })

  it('has each RRset once', () => {
    const zone = zoneFromText(
      'home.test.',
      `
      @  60 A   192.0.2.1
      @  60 MX  10 @
      @  60 MX  20 HOME.test.
      a  60 SRV 0 0 1 @
      a  60 SRV 0 0 2 @
    `,
    )
    expect(asking(zone)('home.test', 'MX').additional).toEqual(['home.test 60 A 192.0.2.1'])
    expect(asking(zone)('a.home.test', 'SRV').additional).toEqual(['home.test 60 A 192.0.2.1'])
  })
})

describe('RFC 1034 §3.6.2: aliases', () => {
  const zone = zoneFromText(
    'home.test.',
    `
    @       60 A     192.0.2.1
    alice   60 A     192.0.2.2
    toapex  60 CNAME @
    towild  60 CNAME any.wild
    *.wild  60 A     192.0.2.7
    toempty 60 CNAME b
    a.b     60 A     192.0.2.3
    toheld  60 CNAME held
    held
    one     60 CNAME two
    two     60 CNAME three
    three   60 CNAME one
  `,
  )
  const follow = asking(zone)

  it.each([
    ['toapex', 'A', 'NOERROR', ['home.test 60 A 192.0.2.1']],
    ['towild', 'A', 'NOERROR', ['any.wild.home.test 60 A 192.0.2.7']],
    ['towild', 'TXT', 'NOERROR', []],
    ['toempty', 'A', 'NOERROR', []],
    ['toheld', 'A', 'NOERROR', []],
  ])('%s %s ends like its target: %s', (name, type, rcode, end) => {
    const reply = follow(`${name}.home.test`, type)
    expect([reply.rcode, reply.flags, reply.answer.slice(1)]).toEqual([rcode, 'qr aa', end])
    expect(reply.authority).toHaveLength(end.length === 0 ? 1 : 0)
  })

  it('a ring of three is followed once', () => {
    expect(follow('two.home.test', 'A').answer).toEqual([
      'two.home.test 60 CNAME three.home.test',
      'three.home.test 60 CNAME one.home.test',
      'one.home.test 60 CNAME two.home.test',
    ])
  })

  it('a chain ends where it leaves its zone, for a zone served here too', () => {
    const other = zoneFromText('other.test.', 'here 60 A 192.0.2.9\nback 60 CNAME out.home.test.')
    const from = zoneFromText('home.test.', 'out 60 CNAME back.other.test.')
    const reply = asking(from, other)('out.home.test', 'A')
    expect(reply.answer).toEqual(['out.home.test 60 CNAME back.other.test'])
    expect([reply.rcode, reply.flags, reply.authority]).toEqual(['NOERROR', 'qr aa', []])
  })
})

describe('RFC 1034 §4.2: zones and their cuts', () => {
  const parent = zoneFromText(
    'home.test.',
    `
    child     60 NS    ns.child
    ns.child  60 A     192.0.2.10
    cut       60 NS    ns.cut
    cut       60 A     192.0.2.11
    cut       60 TXT   "at the cut"
    ns.cut    60 A     192.0.2.12
    held.cut  60 A     192.0.2.13
    al.cut    60 CNAME out
    dn.cut    60 DNAME out
    *.cut     60 A     192.0.2.14
    out       60 A     192.0.2.15
    dn        60 DNAME out
    below.dn  60 NS    ns.cut
  `,
  )
  const child = zoneFromText(
    'child.home.test.',
    '@ 60 NS ns\nns 60 A 192.0.2.10\nx 60 A 192.0.2.16',
  )

  it.each([
    ['cut', 'A'],
    ['cut', 'TXT'],
    ['held.cut', 'A'],
    ['al.cut', 'A'],
    ['al.cut', 'CNAME'],
    ['x.dn.cut', 'A'],
    ['any.cut', 'A'],
    ['*.cut', 'A'],
    ['absent.cut', 'DS'],
  ])('§4.2.1: names at or below a cut, %s %s, are not answered', (name, type) => {
    const reply = asking(parent)(`${name}.home.test`, type)
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['NOERROR', 'qr', []])
    expect(reply.authority).toEqual(['cut.home.test 60 NS ns.cut.home.test'])
    expect(reply.additional).toEqual(['ns.cut.home.test 60 A 192.0.2.12'])
  })

  it('a cut below a DNAME has no effect', () => {
    const reply = asking(parent)('x.below.dn.home.test', 'A')
    expect([reply.rcode, reply.flags]).toEqual(['NXDOMAIN', 'qr aa'])
    expect(reply.answer[0]).toBe('dn.home.test 60 DNAME out.home.test')
  })

  it.each([
    ['x.child.home.test', 'A', ['x.child.home.test 60 A 192.0.2.16']],
    ['child.home.test', 'NS', ['child.home.test 60 NS ns.child.home.test']],
  ])('a server of both sides answers %s %s from the zone below', (name, type, answer) => {
    const reply = asking(parent, child)(name, type)
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['NOERROR', 'qr aa', answer])
  })

  it('and answers from the zone below if the name does not exist', () => {
    const reply = asking(parent, child)('gone.child.home.test', 'A')
    expect([reply.rcode, reply.flags]).toEqual(['NXDOMAIN', 'qr aa'])
    expect(reply.authority[0]).toContain('child.home.test 60 SOA')
  })

  it('the cut of a removed zone is a referral again', () => {
    const reply = asking(parent)('x.child.home.test', 'A')
    expect([reply.flags, reply.answer]).toEqual(['qr', []])
    expect(reply.authority).toEqual(['child.home.test 60 NS ns.child.home.test'])
    expect(reply.additional).toEqual(['ns.child.home.test 60 A 192.0.2.10'])
  })
})

describe('RFC 1034 §4.2.1: the root may be a zone', () => {
  const root = asking(zoneFromText('.', '@ 60 NS a.ns.\na.ns 60 A 192.0.2.1\ntest 60 NS a.ns.'))

  it.each([
    ['.', 'NS', 'qr aa', ['. 60 NS a.ns']],
    ['a.ns', 'A', 'qr aa', ['a.ns 60 A 192.0.2.1']],
    ['x.test', 'A', 'qr', []],
    ['.', 'DS', 'qr aa', []],
  ])('%s %s', (name, type, flags, answer) => {
    const reply = root(name, type)
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['NOERROR', flags, answer])
  })
})
