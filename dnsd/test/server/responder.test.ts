import { describe, expect, it } from 'vitest'
import { read } from '../support/ask.ts'
import { requestOctets } from '../support/request-octets.ts'
import { zoneFromText, zonesOf } from '../support/zone-text.ts'
import { nameFromText, TYPE } from '../../src/names/index.ts'
import { createResponder, type Answered, type ServerEvents } from '../../src/server/index.ts'
import { SILENT_EVENTS } from '../support/events.ts'

function recording(failing: Partial<ServerEvents> = {}) {
  const answered: Answered[] = []
  const dropped: string[] = []
  const failures: unknown[] = []
  const events: ServerEvents = {
    ...SILENT_EVENTS,
    answered: (one) => answered.push(one),
    dropped: (transport) => dropped.push(transport),
    failed: (error) => failures.push(error),
    ...failing,
  }
  const zone = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
  const respond = createResponder(zonesOf(zone), events)
  return { zone, respond, answered, dropped, failures }
}

describe('createResponder', () => {
  it('reports answered and dropped packets', () => {
    const { respond, answered, dropped, failures } = recording()
    const octets = respond(requestOctets('alice.home.test', 'A'), 'udp')
    respond(requestOctets('alice.home.test', 'A', { edns: { version: 1 } }), 'tcp')
    respond(Buffer.alloc(3), 'udp')
    expect(answered).toEqual([
      {
        transport: 'udp',
        qtype: TYPE.A,
        rcode: 'NOERROR',
        octets: octets?.length,
        truncated: false,
      },
      { transport: 'tcp', qtype: TYPE.A, rcode: 'BADVERS', octets: 44, truncated: false },
    ])
    expect([dropped, failures]).toEqual([['udp'], []])
  })

  it('answers SERVFAIL if the zone contains invalid data, and continues', () => {
    const { zone, respond, answered, failures } = recording()
    const broken = { type: TYPE.MX, ttlSeconds: 60, rdata: [Buffer.from([1])] }
    const owner = nameFromText('broken.home.test.')
    zone.apply([{ owner, rrsets: [broken] }], { serial: 8n, feedId: 'feed', token: 'third' })
    const octets = respond(requestOctets('broken.home.test', 'MX', { id: 5, edns: {} }), 'udp')
    const { id, rcode, flags, questions, opt } = read(octets ?? Buffer.alloc(0))
    expect([id, rcode, flags, questions]).toEqual([5, 'SERVFAIL', 'qr', 1])
    expect(opt).toBeDefined()
    expect(failures).toHaveLength(1)
    expect(answered.map((one) => one.rcode)).toEqual(['SERVFAIL'])
    const honest = respond(requestOctets('alice.home.test', 'A'), 'udp')
    expect(read(honest ?? Buffer.alloc(0)).answer).toHaveLength(1)
  })

  it('does not throw when a listener does', () => {
    const { respond, failures } = recording({
      answered() {
        throw new Error('no counter')
      },
    })
    expect(respond(requestOctets('alice.home.test', 'A'), 'udp')).toBeUndefined()
    expect(failures).toHaveLength(1)
  })

  it('reads packets at any position in memory', () => {
    const { respond } = recording()
    const packet = requestOctets('alice.home.test', 'A')
    const larger = new Uint8Array(packet.length + 64).fill(0xff)
    larger.set(packet, 32)
    const octets = respond(larger.subarray(32, 32 + packet.length), 'udp')
    expect(read(octets ?? Buffer.alloc(0)).answer).toHaveLength(1)
  })

  it('returns a separate buffer for each answer', () => {
    const { respond } = recording()
    const first = respond(requestOctets('alice.home.test', 'A', { id: 1 }), 'udp')
    respond(requestOctets('nobody.home.test', 'TXT', { id: 2 }), 'udp')
    expect(read(first ?? Buffer.alloc(0)).answer).toEqual(['alice.home.test 60 A 192.0.2.1'])
  })
})
