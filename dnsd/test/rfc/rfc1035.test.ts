import { describe, expect, it } from 'vitest'
import { asking, sending } from '../support/ask.ts'
import {
  headerOctets,
  questionOctets,
  recordOctets,
  requestOctets,
  uint16,
} from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const home = zoneFromText(
  'home.test.',
  `
  @      3600 NS    ns1
  ns1    3600 A     192.0.2.53
  alice  60   A     192.0.2.1
  mail   60   MX    10 mx.home.test.
  mail   60   MX    20 mx2.home.test.
  www    60   CNAME alice
  r      60   PTR   Printer.alice.home.test.
  d      60   SRV   1 2 3 alice.home.test.
`,
)
const ask = asking(home)
const send = sending(home)

describe('RFC 1035 §4.1.1: header', () => {
  it('keeps the ID and copies RD, and leaves RA, Z and AD clear', () => {
    const plain = ask('alice.home.test', 'A', { id: 0xbeef })
    expect([plain.id, plain.flags]).toEqual([0xbeef, 'qr aa'])
    expect(ask('alice.home.test', 'A', { recursionDesired: true }).flags).toBe('qr aa rd')
  })

  it('ignores the bits that only responses have', () => {
    const packet = requestOctets('alice.home.test', 'A')
    // AA, TC, RA, Z, AD and a response code.
    packet.writeUInt16BE(0x06ef, 2)
    const reply = send(packet)
    expect([reply?.rcode, reply?.flags]).toEqual(['NOERROR', 'qr aa'])
    expect(reply?.answer).toHaveLength(1)
  })

  it('does not answer responses, or packets without a complete header', () => {
    const packet = requestOctets('alice.home.test', 'A')
    for (let length = 0; length < 12; length++) {
      expect(send(packet.subarray(0, length))).toBeUndefined()
    }
    packet.writeUInt16BE(0x8000, 2)
    expect(send(packet)).toBeUndefined()
  })

  it('keeps the ID of an invalid request', () => {
    const reply = send(requestOctets('alice.home.test', 'A', { id: 77 }).subarray(0, 20))
    expect([reply?.rcode, reply?.id, reply?.questions]).toEqual(['FORMERR', 77, 0])
  })
})

describe('RFC 1035 §4.1.2: question', () => {
  it.each([
    ['a name without end', Buffer.from([5, 97, 98])],
    ['a compression pointer', Buffer.from([0xc0, 12, 0, 1, 0, 1])],
    ['a pointer after a label', Buffer.from([1, 97, 0xc0, 12, 0, 1, 0, 1])],
    ['the label type 01', Buffer.from([0x41, 97, 0, 0, 1, 0, 1])],
    ['the label type 10', Buffer.from([0x81, 97, 0, 0, 1, 0, 1])],
    ['no type', Buffer.from([1, 97, 0])],
    ['no class', Buffer.from([1, 97, 0, 0, 1])],
    ['nothing', Buffer.alloc(0)],
  ])('FORMERR for %s', (_what, octets) => {
    const reply = send(Buffer.concat([headerOctets({ id: 9 }, [1, 0, 0, 0]), octets]))
    expect([reply?.rcode, reply?.id, reply?.flags, reply?.questions]).toEqual([
      'FORMERR',
      9,
      'qr',
      0,
    ])
  })

  it('accepts a name of 255 octets and refuses one of 256', () => {
    const label = (length: number) =>
      Buffer.concat([Buffer.from([length]), Buffer.alloc(length, 97)])
    const long = (last: number) =>
      Buffer.concat([label(63), label(63), label(63), label(last), Buffer.from([0])])
    expect(ask(long(61), 'A').rcode).toBe('REFUSED')
    expect(ask(long(62), 'A').rcode).toBe('FORMERR')
  })

  it('FORMERR for octets after the message, and for incomplete records', () => {
    const packet = requestOctets('alice.home.test', 'A')
    expect(send(Buffer.concat([packet, Buffer.from([0])]))?.rcode).toBe('FORMERR')
    packet.writeUInt16BE(1, 10)
    expect(send(packet)?.rcode).toBe('FORMERR')
    const record = Buffer.concat([Buffer.from([0]), uint16(1), uint16(1), Buffer.alloc(4)])
    for (const rest of [record, Buffer.concat([record, uint16(4), Buffer.alloc(3)])]) {
      const reply = send(Buffer.concat([packet, rest]))
      expect([reply?.rcode, reply?.questions]).toEqual(['FORMERR', 1])
    }
  })

  // Checking them strictly would need the format of every type that ever existed, and would not make a query any
  // clearer.
  it.each([
    ['answer', [1, 1, 0, 0]],
    ['authority', [1, 0, 1, 0]],
    ['additional', [1, 0, 0, 1]],
  ] as const)('FORMERR for a record in the %s section, whole or not', (_section, counts) => {
    for (const rdata of [Buffer.alloc(4), Buffer.alloc(3)]) {
      const record = recordOctets(Buffer.from([0xc0, 12]), 1, {}, rdata)
      const question = questionOctets('alice.home.test', 'A')
      const reply = send(Buffer.concat([headerOctets({}, counts), question, record]))
      expect([reply?.rcode, reply?.answer]).toEqual(['FORMERR', []])
    }
  })
})

describe('RFC 1035 §3.2.4 and §3.2.5: classes and question types', () => {
  it.each([
    ['CH', 3],
    ['HS', 4],
    ['NONE', 254],
    ['ANY', 255],
    ['0', 0],
    ['65280', 65_280],
  ])('class %s is refused', (_name, qclass) => {
    const reply = ask('alice.home.test', 'A', { qclass })
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['REFUSED', 'qr', []])
  })

  it.each([
    ['MAILB', 253, 'NOTIMP'],
    ['MAILA', 254, 'NOTIMP'],
    ['OPT', 41, 'FORMERR'],
    ['TSIG', 250, 'FORMERR'],
    ['TKEY', 249, 'FORMERR'],
  ])('a question for %s has no answer', (_name, type, rcode) => {
    const reply = ask('alice.home.test', type)
    expect([reply.rcode, reply.answer, reply.authority]).toEqual([rcode, [], []])
  })
})

describe('RFC 1035 §4.1.4: message compression', () => {
  const nameBytes = 'alice.home.test'.length + 2
  const questionBytes = 12 + nameBytes + 4

  it('points to the question for its own name', () => {
    const { octets } = ask('alice.home.test', 'A')
    expect(octets).toHaveLength(questionBytes + 2 + 10 + 4)
    expect(octets.readUInt16BE(questionBytes)).toBe(0xc00c)
  })

  it('points into the question for its suffixes, and to earlier names', () => {
    // Owner and both names of the SOA: each is its first label and a pointer, or only a pointer.
    const soaBytes = 2 + 10 + (4 + 2) + (11 + 2) + 20
    expect(ask('nobod.home.test', 'A').octets).toHaveLength(questionBytes + soaBytes)
    const { octets, answer } = ask('mail.home.test', 'MX')
    const mxBytes = (label: number) => 2 + 10 + 2 + (1 + label + 2)
    expect(octets).toHaveLength(questionBytes - 1 + mxBytes(2) + mxBytes(3))
    expect(answer).toEqual([
      'mail.home.test 60 MX 10 mx.home.test',
      'mail.home.test 60 MX 20 mx2.home.test',
    ])
  })

  it('compresses names in any letter case', () => {
    const mixed = ask('NOBOD.hOmE.tEsT', 'A')
    expect(mixed.octets).toHaveLength(ask('nobod.home.test', 'A').octets.length)
    const root = asking(zoneFromText('.', 'a 60 NS b'))
    expect(root('.', 'SOA').answer).toEqual(['. 3600 SOA ns1 hostmaster 7 3600 600 1209600 60'])
  })

  it('follows a CNAME with a pointer to its target', () => {
    const { octets } = ask('www.home.test', 'A')
    const [cnameBytes, addressBytes] = [2 + 10 + (6 + 2), 2 + 10 + 4]
    expect(octets).toHaveLength(questionBytes - 2 + cnameBytes + addressBytes)
  })

  it('does not point beyond 14 bits', () => {
    const lines = Array.from({ length: 1500 }, (_, n) => `@ 60 NS a${n}.far${n}.home.test.`)
    const big = asking(zoneFromText('big.home.test.', lines.join('\n')))
    const reply = big('big.home.test', 'NS', { transport: 'tcp' })
    expect(reply.octets.length).toBeGreaterThan(0x4000)
    expect(reply.answer).toHaveLength(1500)
    expect(reply.answer.at(-1)).toBe('big.home.test 60 NS a1499.far1499.home.test')
  })
})

describe('RFC 1035 §4.2.1: UDP', () => {
  it('carries at most 512 octets, and sets TC for more', () => {
    const text = (letter: string, count: number) => `t 60 TXT "${letter.repeat(count)}"\n`
    const at = (count: number) =>
      asking(zoneFromText('home.test.', text('x', 250) + text('y', count)))('t.home.test', 'TXT')
    // Header 12, question 17, two records of 12 octets and a string's length octet each.
    const room = 512 - 12 - 17 - (12 + 1 + 250) - (12 + 1)
    expect([at(room).octets.length, at(room).flags]).toEqual([512, 'qr aa'])
    const cut = at(room + 1)
    expect([cut.flags, cut.answer]).toEqual(['qr aa tc', []])
  })
})
