/*
 * The records of a message in octets, from a parser that shares no code with the server: every irregularity is an
 * error. Names in RDATA are written in full in types where they may be compressed.
 */
import { TYPE } from '../../src/names/index.ts'

export interface RawRecord {
  readonly owner: Buffer
  readonly type: number
  readonly rclass: number
  readonly ttl: number
  readonly rdata: Buffer
}

/** Octets before the first name, names, octets after them: the types of RFC 1035 with names. */
const COMPRESSIBLE = new Map([
  [TYPE.NS, [0, 1, 0]],
  [TYPE.CNAME, [0, 1, 0]],
  [TYPE.SOA, [0, 2, 20]],
  [TYPE.PTR, [0, 1, 0]],
  [TYPE.MX, [2, 1, 0]],
] as [number, [number, number, number]][])

/** @throws Error when the message does not match its counts exactly */
export function recordsOf(message: Buffer): RawRecord[] {
  const [questions = 0, ...counts] = [4, 6, 8, 10].map((at) => message.readUInt16BE(at))
  let at = 12
  for (let index = 0; index < questions; index++) at = nameAt(message, at).end + 4
  const total = counts.reduce((sum, count) => sum + count, 0)
  const records = Array.from({ length: total }, () => {
    const { name: owner, end } = nameAt(message, at)
    const rdataAt = end + 10
    const type = message.readUInt16BE(end)
    at = rdataAt + message.readUInt16BE(end + 8)
    const rdata = rdataOf(message, type, rdataAt, at)
    const [rclass, ttl] = [message.readUInt16BE(end + 2), message.readUInt32BE(end + 4)]
    return { owner, type, rclass, ttl, rdata }
  })
  if (at !== message.length) throw new Error(`the records end at ${at} of ${message.length}`)
  return records
}

function rdataOf(message: Buffer, type: number, start: number, end: number): Buffer {
  const layout = COMPRESSIBLE.get(type)
  if (layout === undefined) return message.subarray(start, end)
  const [before, names, after] = layout
  const parts = [message.subarray(start, start + before)]
  let at = start + before
  for (let index = 0; index < names; index++) {
    const read = nameAt(message, at)
    parts.push(read.name)
    at = read.end
  }
  if (at + after !== end) throw new Error(`RDATA of type ${type} ends at ${at + after} of ${end}`)
  return Buffer.concat([...parts, message.subarray(at, end)])
}

function nameAt(message: Buffer, start: number): { name: Buffer; end: number } {
  const labels: Buffer[] = []
  let at = start
  let end: number | undefined
  for (;;) {
    const length = message.readUInt8(at)
    if (length >= 0xc0) {
      const target = message.readUInt16BE(at) & 0x3fff
      if (target >= at) throw new Error(`a pointer at ${at} leads to ${target}`)
      end ??= at + 2
      at = target
    } else {
      labels.push(message.subarray(at, at + 1 + length))
      at += 1 + length
      if (length === 0) return { name: Buffer.concat(labels), end: end ?? at }
    }
  }
}
