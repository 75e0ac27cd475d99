/*
 * Packets: new ones, as clients and attackers make them, or changed copies of earlier ones. Everything comes from one
 * stream of random numbers, so a seed determines a campaign.
 */
import { optOctets, recordOctets, requestOctets, uint16 } from '../support/request-octets.ts'
import type { Random } from '../support/random.ts'
import { NAMES } from './zone.ts'

type Maker = (random: Random) => Buffer

const TYPES = [
  1, 2, 5, 6, 12, 15, 16, 28, 33, 39, 41, 43, 46, 48, 64, 65, 249, 250, 251, 252, 253, 254, 255,
  257, 65_280, 65_535,
]
const CLASSES = [1, 1, 1, 1, 1, 3, 254, 255, 0, 4]
const ORIGIN = Buffer.from('\u0004home\u0004test\0', 'latin1')
const FLAT_ORIGIN = Buffer.from('\u0004flat\u0004test\0', 'latin1')
// Lengths and pointers at which parsers tend to fail.
const ODD_OCTETS = [0, 1, 2, 4, 11, 12, 16, 0x28, 0x29, 0x3f, 0x40, 0x7f, 0x80, 0xbf, 0xc0, 0xff]
const ODD_NUMBERS = [
  0, 1, 2, 10, 12, 41, 250, 255, 256, 511, 512, 1232, 0x7fff, 0xc00c, 0xfff0, 0xffff,
]
const MOST_PACKET_BYTES = 2048

function oneOf<T>(random: Random, all: readonly T[]): T {
  const chosen = all[random(all.length)]
  if (chosen === undefined) throw new RangeError('nothing to choose from')
  return chosen
}

export function noise(random: Random, length: number): Buffer {
  const octets = Buffer.allocUnsafe(length)
  for (let at = 0; at < length; at++) octets[at] = random(256)
  return octets
}

// Made once: making it from text would take longer than the response.
const WIRE_NAMES = NAMES.flatMap((name) =>
  name === ''
    ? [Buffer.from([0])]
    : [ORIGIN, FLAT_ORIGIN].map((apex) => Buffer.concat([labels(name), apex])),
)

function labels(name: string): Buffer {
  if (name === '@') return Buffer.alloc(0)
  const parts = name.split('.').map((label) => Buffer.from(label, 'latin1'))
  return Buffer.concat(parts.flatMap((label) => [Buffer.from([label.length]), label]))
}

function option(code: number, content: Buffer): Buffer {
  return Buffer.concat([uint16(code), uint16(content.length), content])
}

function options(random: Random): Buffer {
  switch (random(6)) {
    case 0:
      return noise(random, random(40))
    case 1:
      return option(10, noise(random, oneOf(random, [0, 7, 8, 9, 16, 24, 40, 41])))
    case 2:
      return option(oneOf(random, [3, 5, 8, 11, 12, 15, 65_001]), noise(random, random(12)))
    case 3:
      return Buffer.concat([option(10, noise(random, 8)), option(10, noise(random, random(30)))])
    default:
      return Buffer.alloc(0)
  }
}

function edns(random: Random): Buffer {
  return optOctets({
    payloadBytes: oneOf(random, [0, 511, 512, 600, 1232, 4096, 0xffff]),
    version: random(8) === 0 ? random(256) : 0,
    flags: random(2) * 0x8000 + (random(8) === 0 ? random(0x8000) : 0),
    options: options(random),
  })
}

function request(random: Random): Buffer {
  const additional = random(3) === 0 ? [] : [edns(random)]
  return requestOctets(oneOf(random, WIRE_NAMES), oneOf(random, TYPES), {
    id: random(0x1_0000),
    recursionDesired: random(2) === 0,
    checkingDisabled: random(4) === 0,
    qclass: oneOf(random, CLASSES),
    opcode: random(16) === 0 ? random(16) : 0,
    additional,
  })
}

function nameOfNoise(random: Random): Buffer {
  const parts: Buffer[] = []
  for (let count = 1 + random(20); count > 0; count--) {
    const label = noise(random, 1 + random(random(4) === 0 ? 63 : 9))
    parts.push(Buffer.from([label.length]), label)
  }
  return Buffer.concat([...parts, ORIGIN])
}

function record(random: Random): Buffer {
  const owner = oneOf(random, [
    Buffer.from([0]),
    Buffer.from([0xc0, oneOf(random, ODD_OCTETS)]),
    oneOf(random, WIRE_NAMES),
  ])
  const type = oneOf(random, TYPES)
  const rdata = random(3) === 0 ? oneOf(random, WIRE_NAMES) : noise(random, random(40))
  return recordOctets(owner, type, { rclass: oneOf(random, CLASSES), ttl: random(0x1_0000) }, rdata)
}

/** Records in any section, as in an IXFR request, a dynamic update or a signed request. */
function requestWithRecords(random: Random): Buffer {
  const packet = requestOctets(oneOf(random, WIRE_NAMES), oneOf(random, TYPES), {
    id: random(0x1_0000),
    opcode: random(4) === 0 ? oneOf(random, [4, 5, 6]) : 0,
  })
  const parts = [packet]
  for (let count = 1 + random(3); count > 0; count--) {
    const countAt = oneOf(random, [6, 8, 10])
    packet.writeUInt16BE(packet.readUInt16BE(countAt) + 1, countAt)
    parts.push(random(3) === 0 ? edns(random) : record(random))
  }
  return Buffer.concat(parts)
}

const MAKERS: readonly Maker[] = [
  request,
  request,
  requestWithRecords,
  (random) => requestOctets(nameOfNoise(random), oneOf(random, TYPES), { id: random(0x1_0000) }),
  (random) => noise(random, random(600)),
  (random) => {
    const packet = noise(random, 12 + random(300))
    packet.writeUInt16BE(random(2) * 0x0100, 2)
    packet.writeUInt16BE(1, 4)
    return packet
  },
]

type Mutator = (packet: Buffer, random: Random, another: Buffer) => Buffer

function overwritten(packet: Buffer, at: number, octets: Buffer): Buffer {
  const changed = Buffer.from(packet)
  octets.copy(changed, at)
  return changed
}

function without(packet: Buffer, at: number, count: number): Buffer {
  return Buffer.concat([packet.subarray(0, at), packet.subarray(at + count)])
}

function inserted(packet: Buffer, at: number, octets: Buffer): Buffer {
  return Buffer.concat([packet.subarray(0, at), octets, packet.subarray(at)])
}

const MUTATORS: readonly Mutator[] = [
  (packet, random) => {
    const at = random(packet.length)
    return overwritten(packet, at, Buffer.from([(packet[at] ?? 0) ^ (1 << random(8))]))
  },
  (packet, random) =>
    overwritten(packet, random(packet.length), Buffer.from([oneOf(random, ODD_OCTETS)])),
  (packet, random) =>
    overwritten(packet, random(packet.length), uint16(oneOf(random, ODD_NUMBERS))),
  // A count in the header that is higher or lower than the number of records.
  (packet, random) =>
    overwritten(packet, oneOf(random, [4, 6, 8, 10]), uint16(oneOf(random, [0, 1, 2, 3, 0xffff]))),
  (packet, random) => without(packet, random(packet.length), 1 + random(8)),
  (packet, random) => inserted(packet, random(packet.length), noise(random, 1 + random(4))),
  (packet, random) => packet.subarray(0, random(packet.length)),
  (packet, random) => {
    const at = random(packet.length)
    return inserted(packet, random(packet.length), packet.subarray(at, at + 1 + random(24)))
  },
  (packet, random, another) =>
    Buffer.concat([
      packet.subarray(0, random(packet.length)),
      another.subarray(random(another.length)),
    ]),
  (packet, random) => {
    if (packet.length < 12) return packet
    const longer = Buffer.concat([packet, random(2) === 0 ? record(random) : edns(random)])
    longer.writeUInt16BE((longer.readUInt16BE(10) + 1) & 0xffff, 10)
    return longer
  },
]

/** A packet: one in three is new, the others are known packets with one to four changes. */
export function nextPacket(random: Random, known: readonly Buffer[]): Buffer {
  if (known.length === 0 || random(3) === 0) return oneOf(random, MAKERS)(random)
  let packet = oneOf(random, known)
  for (let changes = 1 + random(4); changes > 0 && packet.length > 0; changes--) {
    packet = oneOf(random, MUTATORS)(packet, random, oneOf(random, known))
  }
  return packet.subarray(0, MOST_PACKET_BYTES)
}
