/*
 * Hostile packets, some ten thousand from one seed. The server must not throw, a library that shares no
 * code with it must be able to read each response, and a valid query afterwards must be answered. The
 * fuzzer (`test/fuzz/`) sends more packets and checks the responses more strictly; this test uses an
 * independent parser.
 */
import { describe, expect, it } from 'vitest'
import { asking, sending } from '../support/ask.ts'
import { randomFrom, type Random } from '../support/random.ts'
import { optOctets, requestOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const zone = zoneFromText(
  'home.test.',
  `
  @      3600 NS    ns1
  @      300  MX    10 mail
  ns1    3600 A     192.0.2.53
  mail   300  AAAA  2001:db8::25
  alice  60   A     192.0.2.1
  alice  60   TXT   "text"
  w      60   CNAME alice
  old    60   DNAME new
  x.new  60   A     192.0.2.2
  *.wild 60   A     192.0.2.7
  cut    60   NS    ns.cut
  ns.cut 60   A     192.0.2.9
`,
)
const NAMES = ['alice', 'w', 'x.old', 'any.wild', 'x.cut', 'mail', '*.wild', 'nobody'].map(
  (label) => `${label}.home.test`,
)
const TYPES = [1, 2, 5, 6, 15, 16, 28, 39, 41, 43, 64, 250, 251, 252, 255, 257, 65_280]

const noise = (random: Random, length: number) =>
  Buffer.from(Array.from({ length }, () => random(256)))

function honest(random: Random): Buffer {
  const name = NAMES[random(NAMES.length)] ?? ''
  const edns = random(2) === 0 ? undefined : { payloadBytes: random(0x1_0000), version: 0 }
  return requestOctets(name, TYPES[random(TYPES.length)] ?? 1, { edns, id: random(0x1_0000) })
}

const MAKERS: Record<string, (random: Random) => Buffer> = {
  noise: (random) => noise(random, random(600)),
  'a request header before noise': (random) => {
    const packet = noise(random, 12 + random(300))
    packet.writeUInt16BE(random(2) * 0x0100, 2)
    packet.writeUInt16BE(1, 4)
    return packet
  },
  'a request with octets changed': (random) => {
    const packet = honest(random)
    for (let changes = 1 + random(4); changes > 0; changes--) {
      packet[random(packet.length)] = random(256)
    }
    return packet
  },
  'a request cut off': (random) => {
    const packet = honest(random)
    return packet.subarray(0, random(packet.length + 1))
  },
  'a request with noise for options and records': (random) => {
    const additional = [
      optOctets({ options: noise(random, random(40)) }),
      noise(random, random(40)),
    ]
    return requestOctets(NAMES[random(NAMES.length)] ?? '', 1, { additional })
  },
  'a name of noise below the zone': (random) => {
    const labels = Array.from({ length: 1 + random(20) }, () => {
      const label = noise(random, 1 + random(9))
      return Buffer.concat([Buffer.from([label.length]), label])
    })
    const apex = Buffer.from('\u0004home\u0004test\0', 'latin1')
    return requestOctets(Buffer.concat([...labels, apex]), TYPES[random(TYPES.length)] ?? 1)
  },
}

const PACKETS_EACH = 4_000

describe.each(Object.entries(MAKERS))('%s', (_kind, make) => {
  it.each(['udp', 'tcp'] as const)('gets a readable response or none over %s', (transport) => {
    const send = sending(zone)
    const random = randomFrom(0x5eed)
    const limitBytes = transport === 'udp' ? 1232 : 65_535
    let wrong = 0
    for (let count = 0; count < PACKETS_EACH; count++) {
      const packet = make(random)
      const reply = send(packet, transport)
      const isRequest = packet.length >= 12 && packet.readUInt16BE(2) < 0x8000
      const fits = reply === undefined || reply.octets.length <= limitBytes
      const sameId = reply === undefined || reply.id === packet.readUInt16BE(0)
      if (isRequest !== (reply !== undefined) || !fits || !sameId) wrong++
    }
    expect(wrong).toBe(0)
    const afterwards = asking(zone)('alice.home.test', 'A', { transport })
    expect(afterwards.answer).toEqual(['alice.home.test 60 A 192.0.2.1'])
  })
})
