import { describe, expect, it } from 'vitest'
import { nameFromText } from '../../src/names/index.ts'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

const many = (owner: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${owner} 60 AAAA 2001:db8::${n + 1}`).join('\n')

describe('RFC 2181 §5: an RRset is sent whole', () => {
  it('all its records, under one TTL', () => {
    const { answer } = asking(zoneFromText('home.test.', many('a', 8)))('a.home.test', 'AAAA')
    expect(answer).toHaveLength(8)
    expect(new Set(answer.map((line) => line.split(' ')[1]))).toEqual(new Set(['60']))
  })
})

describe('RFC 2181 §9: the TC bit', () => {
  it('is set when the answer does not fit, with no record of the set', () => {
    const ask = asking(zoneFromText('home.test.', many('a', 40)))
    const plain = ask('a.home.test', 'AAAA')
    expect([plain.flags, plain.answer]).toEqual(['qr aa tc', []])
    expect(ask('a.home.test', 'AAAA', { edns: { payloadBytes: 4096 } }).answer).toHaveLength(40)
    expect(ask('a.home.test', 'AAAA', { transport: 'tcp' }).answer).toHaveLength(40)
  })

  it('keeps the sets of a chain that fit', () => {
    const zone = zoneFromText('home.test.', `w 60 CNAME a\n${many('a', 40)}`)
    const reply = asking(zone)('w.home.test', 'AAAA')
    expect(reply.flags).toBe('qr aa tc')
    expect(reply.answer).toEqual(['w.home.test 60 CNAME a.home.test'])
  })

  it('is not set for additional records, of which those that fit are included', () => {
    const zone = zoneFromText(
      'home.test.',
      `m 60 MX 10 big\nm 60 MX 20 small\n${many('big', 40)}\nsmall 60 A 192.0.2.1`,
    )
    const reply = asking(zone)('m.home.test', 'MX')
    expect(reply.flags).toBe('qr aa')
    expect(reply.answer).toHaveLength(2)
    expect(reply.additional).toEqual(['small.home.test 60 A 192.0.2.1'])
  })

  it('is never set over TCP: what exceeds 65535 octets cannot be answered', () => {
    const reply = asking(zoneFromText('home.test.', many('a', 3000)))('a.home.test', 'AAAA', {
      transport: 'tcp',
    })
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['SERVFAIL', 'qr', []])
  })
})

describe('RFC 2181 §11: any octet may be in a label', () => {
  it('a dot in a label is not a separator', () => {
    const ask = asking(zoneFromText('home.test.', 'a\\.b 60 A 192.0.2.1\na.b 60 A 192.0.2.2'))
    expect(ask(nameFromText('a\\.b.home.test.'), 'A').octets.subarray(-4)).toEqual(
      Buffer.from([192, 0, 2, 1]),
    )
    expect(ask('a.b.home.test', 'A').octets.subarray(-4)).toEqual(Buffer.from([192, 0, 2, 2]))
  })

  it('each of the 256 octets makes a different name, except for letter case', () => {
    const apex = nameFromText('home.test.')
    const escaped = (octet: number) => `\\${String(octet).padStart(3, '0')}`
    const octets = Array.from({ length: 256 }, (_, octet) => octet)
    const lower = octets.filter((octet) => octet < 0x41 || octet > 0x5a)
    const lines = lower.map((octet) => `x${escaped(octet)} 60 A 192.0.2.${octet}`)
    const ask = asking(zoneFromText('home.test.', lines.join('\n')))
    for (const octet of octets) {
      const reply = ask(Buffer.concat([Buffer.from([2, 120, octet]), apex]), 'A')
      const folded = octet >= 0x41 && octet <= 0x5a ? octet + 32 : octet
      expect([reply.rcode, reply.octets.at(-1)]).toEqual(['NOERROR', folded])
    }
  })
})

describe('RFC 2181 §6.1: NS records at a cut belong to the zone below', () => {
  const parent = zoneFromText('home.test.', 'child 60 NS parents-view.child')
  const child = zoneFromText('child.home.test.', '@ 3600 NS own')

  it('without authority from above, with authority from below', () => {
    const above = asking(parent)('child.home.test', 'NS')
    expect([above.flags, above.answer, above.authority]).toEqual([
      'qr',
      [],
      ['child.home.test 60 NS parents-view.child.home.test'],
    ])
    const below = asking(parent, child)('child.home.test', 'NS')
    expect([below.flags, below.answer, below.authority]).toEqual([
      'qr aa',
      ['child.home.test 3600 NS own.child.home.test'],
      [],
    ])
  })
})

describe('RFC 2181 §8: TTLs have 31 bits', () => {
  it.each([0, 1, 0x7fff_ffff])('%i is answered unchanged', (ttl) => {
    const reply = asking(zoneFromText('home.test.', `a ${ttl} A 192.0.2.1`))('a.home.test', 'A')
    expect(reply.answer).toEqual([`a.home.test ${ttl} A 192.0.2.1`])
  })

  it('and one more is not served', () => {
    expect(() => zoneFromText('home.test.', 'a 2147483648 A 192.0.2.1')).toThrow('has the TTL')
  })
})

describe('RFC 2181 §9: the authority section, too, is whole or TC is set', () => {
  it('of a referral whose name servers do not fit', () => {
    const servers = Array.from({ length: 40 }, (_, n) => `cut 60 NS server-${n}.example${n}.`)
    const ask = asking(zoneFromText('home.test.', servers.join('\n')))
    const reply = ask('x.cut.home.test', 'A')
    expect([reply.flags, reply.authority, reply.additional]).toEqual(['qr tc', [], []])
    expect(ask('x.cut.home.test', 'A', { transport: 'tcp' }).authority).toHaveLength(40)
  })

  it('of a negative answer whose SOA does not fit', () => {
    const label = 'l'.repeat(60)
    const apex = `${label}.${label}.${label}.`
    const soaOnly = zoneFromText(apex, `@ 60 NS ns`)
    const question = (letter: string) => `${letter.repeat(60)}.${apex.slice(0, -1)}`
    const whole = asking(soaOnly)(question('q'), 'A')
    expect([whole.rcode, whole.flags, whole.authority.length]).toEqual(['NXDOMAIN', 'qr aa', 1])
    // Names of the SOA without a common suffix with the question must be written in full.
    const far = (letter: string) => `${letter.repeat(60)}.`.repeat(3)
    const zone = zoneFromText('home.test.', '')
    const mname = nameFromText(far('m'))
    const rname = nameFromText(far('r'))
    zone.apply(
      [],
      { serial: 8n, feedId: 'feed', token: 'third' },
      { ...zone.soaParameters, mname, rname },
    )
    const asked = `${far('q').slice(0, -1)}.home.test`
    expect(asking(zone)(asked, 'A')).toMatchObject({ rcode: 'NXDOMAIN', flags: 'qr aa tc' })
    expect(asking(zone)(asked, 'A', { edns: {} })).toMatchObject({ flags: 'qr aa' })
  })
})

describe('RFC 2181 §10.1: an alias stands alone', () => {
  it.each(['w 60 CNAME a\nw 60 A 192.0.2.1', 'w 60 CNAME a\nw 60 CNAME b', '@ 60 CNAME a'])(
    '%j is not served',
    (text) => {
      expect(() => zoneFromText('home.test.', text)).toThrow(/is an alias|has two targets/)
    },
  )
})
