import { describe, expect, it } from 'vitest'
import { sending } from '../support/ask.ts'
import { headerOctets, optOctets, questionOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 9619 §4: a request has one question', () => {
  const send = sending(zoneFromText('home.test.', 'alice 60 A 192.0.2.1'))
  const question = questionOctets('alice.home.test', 'A')
  const cookie = optOctets({ options: Buffer.from([0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8]) })

  it.each([
    ['none', 0, []],
    ['none, where one follows', 0, [question]],
    ['none but a cookie', 0, [cookie]],
    ['two', 2, [question, question]],
    ['two, where one follows', 2, [question]],
    ['65535', 65_535, [question]],
  ])('FORMERR for %s', (_what, count, rest) => {
    const additional = rest[0] === cookie ? 1 : 0
    const packet = Buffer.concat([headerOctets({}, [count, 0, 0, additional]), ...rest])
    const reply = send(packet)
    expect([reply?.rcode, reply?.flags, reply?.questions]).toEqual(['FORMERR', 'qr', 0])
    expect(reply?.octets).toHaveLength(additional === 1 ? 12 + 11 : 12)
  })
})
