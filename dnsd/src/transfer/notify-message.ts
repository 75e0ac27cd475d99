/* NOTIFY messages (RFC 1996 §3) and their answers. */
import { TYPE } from '../names/index.ts'
import { FLAG, HEADER_BYTES, OPCODE_SHIFT } from '../wire/header.ts'
import { MessageWriter } from '../wire/message-writer.ts'
import { uint16At } from '../names/octets.ts'
import type { RRset } from '../zone/index.ts'

const OPCODE_NOTIFY = 4
const CLASS_IN = 1
const OPCODE_BITS = 0xf << OPCODE_SHIFT
// The size that every receiver accepts without EDNS (RFC 1035 §4.2.1).
const MESSAGE_LIMIT_BYTES = 512

/**
 * A NOTIFY message for a changed zone. Its SOA is a hint (RFC 1996 §3.7) and is left out if it does not fit.
 */
export function notifyMessage(id: number, apex: Uint8Array, soa: RRset): Buffer {
  const question = Buffer.concat([apex, Buffer.from([0, TYPE.SOA, 0, CLASS_IN])])
  const writer = new MessageWriter(question, apex, MESSAGE_LIMIT_BYTES)
  const answers = writer.add({ owner: apex, rrset: soa })
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE((OPCODE_NOTIFY << OPCODE_SHIFT) | FLAG.AA, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers, 6)
  return writer.finish(header)
}

/** Reads a secondary's answer; undefined when the packet is not an answer to a NOTIFY. */
export function readNotifyAnswer(packet: Uint8Array): { id: number; rcode: number } | undefined {
  if (packet.length < HEADER_BYTES) return undefined
  const flags = uint16At(packet, 2)
  const isAnswer =
    (flags & FLAG.QR) !== 0 && (flags & OPCODE_BITS) >>> OPCODE_SHIFT === OPCODE_NOTIFY
  return isAnswer ? { id: uint16At(packet, 0), rcode: flags & 0xf } : undefined
}
