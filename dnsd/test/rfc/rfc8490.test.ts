import { describe, expect, it } from 'vitest'
import { sending } from '../support/ask.ts'
import { headerOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 8490 §5.1: a server without DNS stateful operations', () => {
  it('answers NOTIMP to a new session', () => {
    const keepalive = Buffer.from([0, 1, 0, 8, 0, 0, 0x3a, 0x98, 0, 0, 0x3a, 0x98])
    const packet = Buffer.concat([headerOctets({ opcode: 6 }, [0, 0, 0, 0]), keepalive])
    const reply = sending(zoneFromText('home.test.', ''))(packet, 'tcp')
    expect([reply?.rcode, reply?.opcode, reply?.octets.length]).toEqual(['NOTIMP', 6, 12])
  })
})
