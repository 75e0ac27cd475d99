import { describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { zoneFromText } from '../support/zone-text.ts'

describe('RFC 5936 §5 and RFC 1995: zones are transferred to nobody', () => {
  const ask = asking(zoneFromText('home.test.', 'alice 60 A 192.0.2.1'))

  it.each(['udp', 'tcp'] as const)('AXFR and IXFR are refused over %s', (transport) => {
    for (const type of ['AXFR', 'IXFR']) {
      for (const name of ['home.test', 'alice.home.test', 'example']) {
        const reply = ask(name, type, { transport })
        expect([reply.rcode, reply.flags]).toEqual(['REFUSED', 'qr'])
        expect([reply.answer, reply.authority]).toEqual([[], []])
      }
    }
  })
})
