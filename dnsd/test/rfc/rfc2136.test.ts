import { describe, expect, it } from 'vitest'
import { nameFromText } from '../../src/names/index.ts'
import { asking, sending } from '../support/ask.ts'
import { headerOctets, questionOctets, recordOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 2136 §3: UPDATE', () => {
  it('is not implemented and without effect', () => {
    const zone = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
    const added = recordOctets(nameFromText('evil.home.test.'), 1, { ttl: 60 }, Buffer.alloc(4))
    const packet = Buffer.concat([
      headerOctets({ opcode: 5 }, [1, 0, 1, 0]),
      questionOctets('home.test', 'SOA'),
      added,
    ])
    const reply = sending(zone)(packet)
    expect([reply?.rcode, reply?.opcode, reply?.flags]).toEqual(['NOTIMP', 5, 'qr'])
    expect(asking(zone)('evil.home.test', 'A').rcode).toBe('NXDOMAIN')
    expect(zone.version.serial).toBe(7n)
  })
})
