import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 1996 §3: NOTIFY', () => {
  it('is not implemented and without effect', () => {
    const zone = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
    const before = [...zone.owners()]
    const reply = asking(zone)('home.test', 'SOA', { opcode: 4 })
    expect([reply.rcode, reply.opcode, reply.flags, reply.answer]).toEqual(['NOTIMP', 4, 'qr', []])
    expect([...zone.owners()]).toEqual(before)
  })
})
