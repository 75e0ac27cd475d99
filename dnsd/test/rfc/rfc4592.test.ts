import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 4592 §2.2.1: the example zone', () => {
  const ask = asking(
    zoneFromText(
      'example.',
      `
    @                3600 NS  ns.example.com.
    @                3600 NS  ns.example.net.
    *                3600 TXT "this is a wildcard"
    *                3600 MX  10 host1.example.
    sub.*            3600 TXT "this is not a wildcard"
    host1            3600 A   192.0.2.1
    _ssh._tcp.host1  3600 SRV 0 0 22 host1.example.
    _ssh._tcp.host2  3600 SRV 0 0 22 host2.example.
    subdel           3600 NS  ns.example.com.
    subdel           3600 NS  ns.example.net.
  `,
    ),
  )

  it.each([
    ['host3.example', 'MX', ['host3.example 3600 MX 10 host1.example']],
    ['foo.bar.example', 'TXT', ['foo.bar.example 3600 TXT "this is a wildcard"']],
    ['sub.*.example', 'TXT', ['sub.*.example 3600 TXT "this is not a wildcard"']],
    ['*.example', 'TXT', ['*.example 3600 TXT "this is a wildcard"']],
  ])('%s %s is answered with the queried name as owner', (name, type, answer) => {
    const reply = ask(name, type)
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['NOERROR', 'qr aa', answer])
  })

  it.each([
    ['host3.example', 'A', 'NOERROR', 'the wildcard has no such records'],
    ['host1.example', 'MX', 'NOERROR', 'the name exists'],
    ['sub.*.example', 'MX', 'NOERROR', 'the name exists'],
    ['host2.example', 'TXT', 'NOERROR', 'it is an empty non-terminal'],
    ['_tcp.host1.example', 'TXT', 'NOERROR', 'it is an empty non-terminal'],
    ['_telnet._tcp.host1.example', 'SRV', 'NXDOMAIN', '_tcp.host1 is its closest encloser'],
    ['x.host1.example', 'TXT', 'NXDOMAIN', 'host1 is its closest encloser'],
    ['x.host2.example', 'MX', 'NXDOMAIN', 'an empty non-terminal stops the wildcard'],
    ['ghost.*.example', 'MX', 'NXDOMAIN', 'there is no *.*.example'],
  ])('%s %s has no records: %s, for %s', (name, type, rcode) => {
    const reply = ask(name, type)
    expect([reply.rcode, reply.flags, reply.answer]).toEqual([rcode, 'qr aa', []])
    expect(reply.authority[0]).toContain('example 60 SOA')
  })

  it('host.subdel.example A is referred', () => {
    const reply = ask('host.subdel.example', 'A')
    expect([reply.flags, reply.authority]).toEqual([
      'qr',
      ['subdel.example 3600 NS ns.example.com', 'subdel.example 3600 NS ns.example.net'],
    ])
  })
})

describe('RFC 4592 §2.2.2 and §3.3: existence', () => {
  const ask = asking(
    zoneFromText(
      'home.test.',
      `
    *            60 A     192.0.2.7
    known        60 A     192.0.2.1
    a.b.c        60 A     192.0.2.2
    withheld
    *.known2     60 A     192.0.2.8
    *.deep       60 TXT   "one"
    *.*.deep     60 TXT   "two"
    *.silent
    *.under      60 CNAME known
    *.lost       60 CNAME nobody.known
    *.round      60 CNAME x.round
    *.cname      60 CNAME known
    cut          60 NS    ns.other.
    *.cut        60 A     192.0.2.9
    x.*.named    60 A     192.0.2.10
  `,
    ),
  )

  it.each([
    ['new.home.test', 'A', ['new.home.test 60 A 192.0.2.7']],
    ['new.new.home.test', 'A', ['new.new.home.test 60 A 192.0.2.7']],
    ['*.home.test', 'A', ['*.home.test 60 A 192.0.2.7']],
    ['x.*.home.test', 'A', undefined],
    ['known.home.test', 'A', ['known.home.test 60 A 192.0.2.1']],
    ['x.known.home.test', 'A', undefined],
    ['known2.home.test', 'A', []],
    ['x.known2.home.test', 'A', ['x.known2.home.test 60 A 192.0.2.8']],
    ['c.home.test', 'A', []],
    ['b.c.home.test', 'A', []],
    ['x.b.c.home.test', 'A', undefined],
    ['x.c.home.test', 'A', undefined],
    ['withheld.home.test', 'A', []],
    ['x.withheld.home.test', 'A', undefined],
    ['x.deep.home.test', 'TXT', ['x.deep.home.test 60 TXT "one"']],
    ['x.y.deep.home.test', 'TXT', ['x.y.deep.home.test 60 TXT "one"']],
    ['x.*.deep.home.test', 'TXT', ['x.*.deep.home.test 60 TXT "two"']],
    ['x.silent.home.test', 'A', []],
    ['named.home.test', 'A', []],
    ['x.named.home.test', 'A', []],
    ['x.y.named.home.test', 'A', []],
    [
      'x.under.home.test',
      'A',
      ['x.under.home.test 60 CNAME known.home.test', 'known.home.test 60 A 192.0.2.1'],
    ],
    ['x.under.home.test', 'CNAME', ['x.under.home.test 60 CNAME known.home.test']],
  ])('%s %s', (name, type, answer) => {
    const reply = ask(name, type)
    expect(reply.rcode).toBe(answer === undefined ? 'NXDOMAIN' : 'NOERROR')
    expect(reply.answer).toEqual(answer ?? [])
  })

  it('a wildcard below a cut has no effect', () => {
    expect(ask('x.cut.home.test', 'A').authority).toEqual(['cut.home.test 60 NS ns.other'])
  })

  it('a chain over a wildcard ends like its last name', () => {
    const reply = ask('x.lost.home.test', 'A')
    expect(reply.rcode).toBe('NXDOMAIN')
    expect(reply.answer).toEqual(['x.lost.home.test 60 CNAME nobody.known.home.test'])
  })

  it('a wildcard that leads into itself ends', () => {
    expect(ask('y.round.home.test', 'A').answer).toEqual([
      'y.round.home.test 60 CNAME x.round.home.test',
      'x.round.home.test 60 CNAME x.round.home.test',
    ])
  })

  it('a wildcard at the end of a chain answers under the name in the chain', () => {
    const zone = zoneFromText('home.test.', 'w 60 CNAME any.wild\n*.wild 60 A 192.0.2.7')
    expect(asking(zone)('w.home.test', 'A').answer).toEqual([
      'w.home.test 60 CNAME any.wild.home.test',
      'any.wild.home.test 60 A 192.0.2.7',
    ])
  })
})

describe('RFC 4592 §4.2 and §4.4: NS and DNAME at a wildcard', () => {
  const ask = asking(
    zoneFromText('home.test.', '*.ns 60 NS a.other.\n*.dn 60 DNAME b.other.\n*.dn 60 TXT "t"'),
  )

  it('are data of the queried names', () => {
    expect(ask('x.ns.home.test', 'NS').answer).toEqual(['x.ns.home.test 60 NS a.other'])
    expect(ask('x.y.dn.home.test', 'TXT').answer).toEqual(['x.y.dn.home.test 60 TXT "t"'])
    expect(ask('x.y.dn.home.test', 'DNAME').answer).toEqual(['x.y.dn.home.test 60 DNAME b.other'])
  })

  it('delegate and redirect under the asterisk itself', () => {
    expect(ask('x.*.ns.home.test', 'A').authority).toEqual(['*.ns.home.test 60 NS a.other'])
    expect(ask('x.*.dn.home.test', 'A').answer).toEqual([
      '*.dn.home.test 60 DNAME b.other',
      'x.*.dn.home.test 60 CNAME x.b.other',
    ])
  })
})

describe('RFC 4592 §4: types at a wildcard', () => {
  const ask = asking(
    zoneFromText(
      'home.test.',
      `
      *.srv      60 SRV   0 0 22 alice
      *.ds       60 DS    1 13 2 ${'AB'.repeat(32)}
      *.mx       60 MX    10 any.mx
      *.mx       60 A     192.0.2.9
      *.https    60 HTTPS 1 . alpn=h2
      *.https    60 A     192.0.2.8
      *.alias    60 CNAME x.alias2
      *.alias2   60 CNAME alice
      alice      60 A     192.0.2.1
      sub.*.gone 60 A     192.0.2.2
    `,
    ),
  )

  it('§4.5: SRV, also for names with underscores', () => {
    const reply = ask('_ssh._tcp.host.srv.home.test', 'SRV')
    expect(reply.answer).toEqual(['_ssh._tcp.host.srv.home.test 60 SRV 0 0 22 alice.home.test'])
    expect(reply.additional).toEqual(['alice.home.test 60 A 192.0.2.1'])
  })

  it('§4.6: DS is ordinary data, because there is no cut', () => {
    const reply = ask('x.ds.home.test', 'DS')
    expect([reply.flags, reply.answer.length]).toEqual(['qr aa', 1])
    expect(ask('x.ds.home.test', 'A').authority[0]).toContain('SOA')
  })

  it('§4.3: CNAME from wildcard to wildcard, each with the name in the chain as owner', () => {
    expect(ask('q.alias.home.test', 'A').answer).toEqual([
      'q.alias.home.test 60 CNAME x.alias2.home.test',
      'x.alias2.home.test 60 CNAME alice.home.test',
      'alice.home.test 60 A 192.0.2.1',
    ])
    expect(ask('q.alias.home.test', 'TXT').authority).toHaveLength(1)
  })

  it('ANY is answered with one of its RRsets', () => {
    expect(ask('q.mx.home.test', 'ANY').answer).toEqual(['q.mx.home.test 60 A 192.0.2.9'])
  })

  it('no address is synthesised for the additional section', () => {
    expect(ask('q.mx.home.test', 'MX').additional).toEqual([])
  })

  it('a wildcard that is only a part of a longer name exists, without records', () => {
    for (const name of ['*.gone.home.test', 'x.gone.home.test', 'x.y.gone.home.test']) {
      const reply = ask(name, 'A')
      expect([reply.rcode, reply.answer, reply.authority.length]).toEqual(['NOERROR', [], 1])
    }
    expect(ask('sub.*.gone.home.test', 'A').answer).toHaveLength(1)
    expect(ask('other.*.gone.home.test', 'A').rcode).toBe('NXDOMAIN')
  })
})

describe('RFC 4592 §2.1.1 and §3.3.1: which label is an asterisk, and which name is queried', () => {
  const ask = asking(
    zoneFromText('home.test.', '*.w 60 A 192.0.2.7\n\\042x.v 60 A 192.0.2.8\nx* 60 A 192.0.2.9'),
  )
  const inW = (...labels: Buffer[]) =>
    Buffer.concat([
      ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
      Buffer.from('\u0001w\u0004home\u0004test\0', 'latin1'),
    ])

  it.each([
    ['*x.v.home.test', 'NOERROR'],
    ['qx.v.home.test', 'NXDOMAIN'],
    ['x*.home.test', 'NOERROR'],
    ['xq.home.test', 'NXDOMAIN'],
    ['**.w.home.test', 'NOERROR'],
  ])('%s: %s', (name, rcode) => {
    expect(ask(name, 'A').rcode).toBe(rcode)
  })

  it('an asterisk matches labels of any octets, as many as fit', () => {
    const odd = inW(Buffer.from([0, 255, 46, 42]))
    const many = inW(...Array.from({ length: 121 }, () => Buffer.from('a')))
    expect(many).toHaveLength(255)
    for (const name of [odd, many, inW(Buffer.alloc(63, 97))]) {
      const { rcode, octets } = ask(name, 'A', { edns: {} })
      expect([rcode, octets.subarray(12, 12 + name.length)]).toEqual(['NOERROR', name])
    }
  })

  it('the name is answered in the letter case of the query', () => {
    expect(ask('WhO.W.hOmE.test', 'A').answer).toEqual(['WhO.W.hOmE.test 60 A 192.0.2.7'])
  })
})
