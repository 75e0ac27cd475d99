import { describe, expect, it } from 'vitest'
import { nameFromText } from '../../src/names/index.ts'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

const many = (owner: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${owner} 60 AAAA 2001:db8::${n + 1}`).join('\n')

describe('RFC 2181 §5: an RRset is given whole', () => {
  it('all its records, under one TTL', () => {
    const { answer } = asking(zoneFromText('home.test.', many('a', 8)))('a.home.test', 'AAAA')
    expect(answer).toHaveLength(8)
    expect(new Set(answer.map((line) => line.split(' ')[1]))).toEqual(new Set(['60']))
  })
})

describe('RFC 2181 §9: the TC bit', () => {
  it('is set when the answer does not fit, and none of the set is there', () => {
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

  it('is not set for additional records, of which those come along that fit', () => {
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
  it('a dot in a label is not one between labels', () => {
    const ask = asking(zoneFromText('home.test.', 'a\\.b 60 A 192.0.2.1\na.b 60 A 192.0.2.2'))
    expect(ask(nameFromText('a\\.b.home.test.'), 'A').octets.subarray(-4)).toEqual(
      Buffer.from([192, 0, 2, 1]),
    )
    expect(ask('a.b.home.test', 'A').octets.subarray(-4)).toEqual(Buffer.from([192, 0, 2, 2]))
  })

  it('each of the 256 octets is a name of its own, but for letter case', () => {
    const origin = nameFromText('home.test.')
    const escaped = (octet: number) => `\\${String(octet).padStart(3, '0')}`
    const octets = Array.from({ length: 256 }, (_, octet) => octet)
    const lower = octets.filter((octet) => octet < 0x41 || octet > 0x5a)
    const lines = lower.map((octet) => `x${escaped(octet)} 60 A 192.0.2.${octet}`)
    const ask = asking(zoneFromText('home.test.', lines.join('\n')))
    for (const octet of octets) {
      const reply = ask(Buffer.concat([Buffer.from([2, 120, octet]), origin]), 'A')
      const folded = octet >= 0x41 && octet <= 0x5a ? octet + 32 : octet
      expect([reply.rcode, reply.octets.at(-1)]).toEqual(['NOERROR', folded])
    }
  })
})
