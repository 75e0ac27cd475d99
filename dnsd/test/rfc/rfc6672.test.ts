import { describe, expect, it } from 'vitest'
import { nameFromText } from '../../src/names/index.ts'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

const ask = asking(
  zoneFromText(
    'home.test.',
    `
  old      300 DNAME new
  old      60  A     192.0.2.1
  new      60  A     192.0.2.2
  x.new    60  A     192.0.2.3
  c.new    60  CNAME y.old
  y.new    60  A     192.0.2.4
  away     300 DNAME other.test.
  grows    300 DNAME a.grows
  hidden.old 60 A    192.0.2.9
  long     300 DNAME ${'l'.repeat(60)}.${'m'.repeat(60)}.home.test.
  *.wild   300 CNAME x.old
`,
  ),
)

describe('RFC 6672 §2.3: the owner itself is not redirected', () => {
  it.each([
    ['A', ['old.home.test 60 A 192.0.2.1']],
    ['DNAME', ['old.home.test 300 DNAME new.home.test']],
    ['AAAA', []],
  ])('old.home.test %s', (type, answer) => {
    expect(ask('old.home.test', type).answer).toEqual(answer)
  })
})

describe('RFC 6672 §3.1 and §3.2: names below are redirected', () => {
  const dname = 'old.home.test 300 DNAME new.home.test'

  it('with the DNAME and the CNAME that it implies, with the same TTL', () => {
    const reply = ask('x.old.home.test', 'A')
    expect(reply.answer).toEqual([
      dname,
      'x.old.home.test 300 CNAME x.new.home.test',
      'x.new.home.test 60 A 192.0.2.3',
    ])
    expect([reply.rcode, reply.flags]).toEqual(['NOERROR', 'qr aa'])
  })

  it('all labels of them, and in the letter case of the question', () => {
    expect(ask('A.b.old.home.test', 'A').answer).toEqual([
      dname,
      'A.b.old.home.test 300 CNAME A.b.new.home.test',
    ])
    expect(ask('A.b.old.home.test', 'A').rcode).toBe('NXDOMAIN')
  })

  it('even names that were published below', () => {
    expect(ask('hidden.old.home.test', 'A').rcode).toBe('NXDOMAIN')
  })

  it('out of the zone, where the chain ends', () => {
    const reply = ask('q.away.home.test', 'A')
    expect(reply.answer).toEqual([
      'away.home.test 300 DNAME other.test',
      'q.away.home.test 300 CNAME q.other.test',
    ])
    expect([reply.rcode, reply.authority]).toEqual(['NOERROR', []])
  })

  it('with the DNAME once, for any number of applications', () => {
    expect(ask('c.old.home.test', 'A').answer).toEqual([
      dname,
      'c.old.home.test 300 CNAME c.new.home.test',
      'c.new.home.test 60 CNAME y.old.home.test',
      'y.old.home.test 300 CNAME y.new.home.test',
      'y.new.home.test 60 A 192.0.2.4',
    ])
  })

  it('after a wildcard, too', () => {
    expect(ask('any.wild.home.test', 'A').answer).toEqual([
      'any.wild.home.test 300 CNAME x.old.home.test',
      dname,
      'x.old.home.test 300 CNAME x.new.home.test',
      'x.new.home.test 60 A 192.0.2.3',
    ])
  })

  it('for CNAME queries, with that CNAME', () => {
    expect(ask('x.old.home.test', 'CNAME').answer).toEqual([
      dname,
      'x.old.home.test 300 CNAME x.new.home.test',
    ])
  })

  it('and the target is not compressed (§2.5)', () => {
    const { octets } = ask('old.home.test', 'DNAME')
    expect(octets.subarray(-nameFromText('new.home.test.').length)).toEqual(
      nameFromText('new.home.test.'),
    )
  })

  it('at the apex: everything but the apex', () => {
    const apex = asking(zoneFromText('home.test.', '@ 60 DNAME other.\n@ 60 A 192.0.2.1'))
    expect(apex('home.test', 'A').answer).toEqual(['home.test 60 A 192.0.2.1'])
    expect(apex('x.home.test', 'A').answer).toEqual([
      'home.test 60 DNAME other',
      'x.home.test 60 CNAME x.other',
    ])
  })
})

describe('RFC 6672 §2.2: names that become too long', () => {
  it('are YXDOMAIN with the DNAME', () => {
    const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(50)}.long.home.test`
    const reply = ask(name, 'A')
    expect([reply.rcode, reply.flags]).toEqual(['YXDOMAIN', 'qr aa'])
    expect(reply.answer).toHaveLength(1)
    expect(reply.answer[0]).toContain('long.home.test 300 DNAME')
  })

  it('end a DNAME that leads below itself', () => {
    const reply = ask('q.grows.home.test', 'A', { transport: 'tcp' })
    expect(reply.rcode).toBe('NOERROR')
    expect(reply.answer).toHaveLength(17)
    expect(reply.answer.filter((line) => line.includes(' DNAME '))).toHaveLength(1)
  })
})
