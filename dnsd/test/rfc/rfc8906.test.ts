import { describe, expect, it } from 'vitest'
import { asking, askingServer, sending } from '../support/ask.ts'
import {
  ednsWith,
  optionOctets,
  requestOctets,
  type EdnsOptions,
} from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const home = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
const ask = asking(home)

describe('RFC 8906 §3.1.2: unknown and unsupported types', () => {
  it('are NODATA where the name exists, for every type number of a query', () => {
    // A has data, and so has ANY; OPT and 249 to 254 are about a message or a whole zone.
    const types = Array.from({ length: 0x1_0000 }, (_, type) => type)
    const otherwise = types.filter((type) => {
      const { rcode, flags, answer, authority } = ask('alice.home.test', type)
      const isNodata = rcode === 'NOERROR' && answer.length === 0 && authority.length === 1
      return !(isNodata && flags === 'qr aa')
    })
    expect(otherwise).toEqual([1, 41, 249, 250, 251, 252, 253, 254, 255])
  })
})

describe('RFC 8906 §3.1.4: unknown opcodes', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])(
    'opcode %i is NOTIMP, with and without EDNS',
    (opcode) => {
      for (const edns of [undefined, {}]) {
        const reply = ask('alice.home.test', 'A', { opcode, edns })
        expect([reply.rcode, reply.opcode, reply.flags]).toEqual(['NOTIMP', opcode, 'qr'])
        expect([reply.answer, reply.authority]).toEqual([[], []])
      }
    },
  )
})

describe('RFC 8906 §3.1: every question is answered', () => {
  it('with any header, unless it is a response', () => {
    const send = sending(home)
    const packet = requestOctets('alice.home.test', 'A')
    const answered = Array.from({ length: 0x1_0000 }, (_, flags) => flags).filter((flags) => {
      packet.writeUInt16BE(flags, 2)
      return send(packet) !== undefined
    })
    expect([answered.length, answered[0], answered.at(-1)]).toEqual([0x8000, 0, 0x7fff])
  })
})

describe('RFC 8906 §8.1: the tests of plain DNS', () => {
  const withBits = (bits: number) => {
    const packet = requestOctets('home.test', 'SOA')
    packet.writeUInt16BE(bits, 2)
    return sending(home)(packet)
  }

  it('§8.1.1: the server serves the zone', () => {
    const reply = ask('home.test', 'SOA')
    expect([reply.rcode, reply.flags, reply.answer.length, reply.opt]).toEqual([
      'NOERROR',
      'qr aa',
      1,
      undefined,
    ])
  })

  it('§8.1.2: an unknown type', () => {
    const reply = ask('home.test', 'TYPE1000')
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['NOERROR', 'qr aa', []])
  })

  it.each([
    ['§8.1.3.1: CD', 0x0010, 'qr aa cd'],
    ['§8.1.3.2: AD', 0x0020, 'qr aa'],
    ['§8.1.3.3: the reserved bit', 0x0040, 'qr aa'],
    ['§8.1.3.4: RD', 0x0100, 'qr aa rd'],
  ])('%s', (_which, bits, flags) => {
    const reply = withBits(bits)
    expect([reply?.rcode, reply?.flags, reply?.answer.length]).toEqual(['NOERROR', flags, 1])
  })

  it.each([
    ['nothing but a header', [0x78, 0]],
    ['every flag', [0x7f, 0xf0]],
  ])('§8.1.4: an unknown opcode, with %s', (_with, flagOctets) => {
    const reply = sending(home)(Buffer.from([0, 1, ...flagOctets, 0, 0, 0, 0, 0, 0, 0, 0]))
    expect([reply?.rcode, reply?.opcode, reply?.flags, reply?.octets.length]).toEqual([
      'NOTIMP',
      15,
      'qr',
      12,
    ])
  })

  it('§8.1.5: TCP', () => {
    const reply = ask('home.test', 'SOA', { transport: 'tcp' })
    expect([reply.rcode, reply.flags, reply.answer.length]).toEqual(['NOERROR', 'qr aa', 1])
  })
})

describe('RFC 8906 §8.2: the tests of EDNS', () => {
  const cookieSecrets = [Buffer.alloc(16, 7)]
  const server = askingServer({ identity: 'ns1', cookieSecrets }, home)
  const unknown = optionOctets(100)
  const soa = (edns: EdnsOptions) => server('home.test', 'SOA', { edns })

  it.each([
    ['§8.2.1: minimal', {}, false],
    ['§8.2.3: an unknown option', { options: unknown }, false],
    ['§8.2.4: an unknown flag', { flags: 0x40 }, false],
    ['§8.2.8: DO', { flags: 0x8000 }, true],
  ])('%s', (_which, edns, dnssecOk) => {
    const reply = soa(edns)
    expect([reply.rcode, reply.flags, reply.answer.length]).toEqual(['NOERROR', 'qr aa', 1])
    expect(reply.opt).toMatchObject({ version: 0, dnssecOk, optionCount: 0 })
    expect(reply.opt?.flags).toBe(dnssecOk ? 0x8000 : 0)
  })

  it.each([
    ['§8.2.2: alone', {}],
    ['§8.2.5: with an unknown flag', { flags: 0x40 }],
    ['§8.2.6: with an unknown option', { options: unknown }],
    ['§8.2.9: with DO', { flags: 0x8000 }],
  ])('another version, %s', (_which, edns) => {
    const reply = soa({ ...edns, version: 1 })
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['BADVERS', 'qr', []])
    expect(reply.opt).toMatchObject({ version: 0, optionCount: 0 })
    expect((reply.opt?.flags ?? 0) & 0x7fff).toBe(0)
  })

  it('§8.2.7: a truncated answer has its OPT record nevertheless', () => {
    const long = Array.from({ length: 40 }, (_, n) => `t 60 TXT "number ${n} of forty"`)
    const big = asking(zoneFromText('home.test.', long.join('\n')))
    const reply = big('t.home.test', 'TXT', { edns: { payloadBytes: 512, flags: 0x8000 } })
    expect([reply.rcode, reply.flags]).toEqual(['NOERROR', 'qr aa tc'])
    expect(reply.opt).toMatchObject({ version: 0, dnssecOk: true })
    expect(reply.octets.length).toBeLessThanOrEqual(512)
  })

  it('§8.2.10: several defined options', () => {
    const nsid = optionOctets(3)
    const subnet = optionOctets(8, '00010000')
    const expire = optionOctets(9)
    const cookie = optionOctets(10, '0102030405060708')
    const reply = soa(ednsWith(nsid, subnet, expire, cookie))
    expect([reply.rcode, reply.answer.length]).toEqual(['NOERROR', 1])
    expect(Object.keys(reply.opt?.options ?? {})).toEqual(['3', '10'])
  })
})
