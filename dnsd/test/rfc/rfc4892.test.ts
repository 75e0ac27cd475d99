import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 4892 §2: names of the server in class CH', () => {
  const ask = asking(zoneFromText('home.test.', ''))

  it.each(['version.bind', 'version.server', 'id.server', 'hostname.bind', 'authors.bind'])(
    '%s is refused',
    (name) => {
      const reply = ask(name, 'TXT', { qclass: 3 })
      expect([reply.rcode, reply.flags, reply.questions]).toEqual(['REFUSED', 'qr', 1])
      expect([reply.answer, reply.authority, reply.additional]).toEqual([[], [], []])
    },
  )
})
