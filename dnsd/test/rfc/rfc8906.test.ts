import { describe, expect, it } from 'vitest'
import { asking, sending } from '../support/ask.ts'
import { requestOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const home = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
const ask = asking(home)

describe('RFC 8906 §3.1.2: unknown and unsupported types', () => {
  it('are NODATA where the name exists, for every number that can be asked for', () => {
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
  it('whatever its header says, unless it says that it is an answer', () => {
    const send = sending(home)
    const packet = requestOctets('alice.home.test', 'A')
    const answered = Array.from({ length: 0x1_0000 }, (_, flags) => flags).filter((flags) => {
      packet.writeUInt16BE(flags, 2)
      return send(packet) !== undefined
    })
    expect([answered.length, answered[0], answered.at(-1)]).toEqual([0x8000, 0, 0x7fff])
  })
})
