import { describe, expect, it } from 'vitest'
import { nameFromText } from '../../src/names/index.ts'
import { asking } from '../support/ask.ts'
import { recordOctets, uint16 } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const ask = asking(zoneFromText('home.test.', 'alice 60 A 192.0.2.1'))
const TIME = Buffer.from([0, 0, 0x69, 0x1f, 0x40, 0])
const HMAC_SHA256 = nameFromText('hmac-sha256.')

function tsigRdata({ mac = Buffer.alloc(32, 0xaa), algorithm = HMAC_SHA256 } = {}): Buffer {
  const afterMac = [uint16(0x1234), uint16(0), uint16(0)]
  return Buffer.concat([algorithm, TIME, uint16(300), uint16(mac.length), mac, ...afterMac])
}

const tsig = (rdata = tsigRdata(), owner = nameFromText('made.up.key.')) =>
  recordOctets(owner, 250, { rclass: 255 }, rdata)

describe('RFC 8945 §5.2.1: a key that is not known', () => {
  it.each(['A', 'AXFR', 'SOA'])('gets no data for %s: NOTAUTH', (type) => {
    const reply = ask('alice.home.test', type, { additional: [tsig()] })
    expect([reply.rcode, reply.flags, reply.questions]).toEqual(['NOTAUTH', 'qr', 1])
    expect([reply.answer, reply.authority, reply.additional]).toEqual([[], [], []])
  })

  it('§5.3.2: is told BADKEY by a record without MAC, the last one', () => {
    const reply = ask('alice.home.test', 'A', { edns: {}, additional: [tsig()] })
    const rdata = [HMAC_SHA256, TIME, uint16(300), uint16(0), uint16(0x1234), uint16(17), uint16(0)]
    const expected = tsig(Buffer.concat(rdata))
    expect(reply.octets.subarray(-expected.length)).toEqual(expected)
    expect(reply.opt).toBeDefined()
  })

  it('gets no longer answer than its request', () => {
    const request = 12 + 21 + tsig().length
    expect(ask('alice.home.test', 'A', { additional: [tsig()] }).octets.length).toBeLessThan(
      request,
    )
  })

  it('gets the code alone where the record has no room', () => {
    const label = (length: number) => Buffer.alloc(length + 1, 97).fill(length, 0, 1)
    const longName = Buffer.concat([...[63, 63, 63, 61].map(label), Buffer.from([0])])
    const record = tsig(tsigRdata({ algorithm: longName }), longName)
    const reply = ask(longName, 'A', { additional: [record] })
    expect([reply.rcode, reply.flags, reply.octets.length]).toEqual(['NOTAUTH', 'qr', 271])
  })

  it('gets the code alone when its name is compressed', () => {
    const record = tsig(tsigRdata(), Buffer.from([0xc0, 12]))
    const reply = ask('alice.home.test', 'A', { additional: [record] })
    expect([reply.rcode, reply.octets.length]).toEqual(['NOTAUTH', 12 + 21])
  })
})

describe('RFC 8945 §5.1 and §5.2: a record that is out of place or broken is FORMERR', () => {
  const other = recordOctets(Buffer.from([0]), 1, {}, Buffer.alloc(4))
  const whole = tsigRdata()
  it.each([
    ['not the last', [tsig(), other]],
    ['two', [tsig(), tsig()]],
    ['another class', [recordOctets(nameFromText('key.'), 250, { rclass: 1 }, whole)]],
    ['no RDATA', [tsig(Buffer.alloc(0))]],
    ['cut off', [tsig(whole.subarray(0, -1))]],
    ['too long', [tsig(Buffer.concat([whole, Buffer.from([0])]))]],
    ['a compressed algorithm', [tsig(tsigRdata({ algorithm: Buffer.from([0xc0, 12]) }))]],
  ])('%s', (_what, additional) => {
    const reply = ask('alice.home.test', 'A', { additional })
    expect([reply.rcode, reply.answer]).toEqual(['FORMERR', []])
  })
})
