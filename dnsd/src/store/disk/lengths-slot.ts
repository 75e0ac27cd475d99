/* A slot of the file `known-lengths` (see log-lengths.ts) as octets. */
import { crc32 } from 'node:zlib'
import type { FileHandle } from './files.ts'
import { FormatError, OctetReader, OctetWriter } from './octets.ts'

const MAGIC = Buffer.from('HOMINGDL')
const FORMAT = 1
const SLOT_BYTES = 4096
/** Length and CRC-32 before the contents of a slot. */
const FRAME_BYTES = 8
// The number of logs that fit into a slot. There are only more than two or three while no snapshot
// can be written.
const LOGS_LIMIT = 128

/** The known lengths of a log, including its header. */
export interface LogLength {
  readonly writtenBytes: number
  readonly syncedBytes: number
}

/** The contents of one slot. Of the two slots, the one with the higher sequence counts. */
export interface LengthsSlot {
  readonly sequence: number
  readonly bootId: string
  readonly lengths: ReadonlyMap<number, LogLength>
}

/** The offset of the slot with this sequence. Each slot overwrites the one before the last. */
export function slotAt(sequence: number): number {
  return (sequence % 2) * SLOT_BYTES
}

/** A slot as octets. `slotAt` gives its offset in the file. */
export function slotOctets({ sequence, bootId, lengths }: LengthsSlot): Buffer {
  const out = new OctetWriter()
  out.bytes(MAGIC)
  out.u16(FORMAT)
  out.u64(BigInt(sequence))
  out.text(bootId)
  const newest = [...lengths].sort(([a], [b]) => a - b).slice(-LOGS_LIMIT)
  out.u16(newest.length)
  for (const [generation, { writtenBytes, syncedBytes }] of newest) {
    out.u64(BigInt(generation))
    out.u64(BigInt(writtenBytes))
    out.u64(BigInt(syncedBytes))
  }
  const content = out.take()
  const frame = Buffer.alloc(FRAME_BYTES)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(content), 4)
  return Buffer.concat([frame, content])
}

/**
 * The slot that was written last.
 *
 * @returns undefined for an empty file
 * @throws FormatError when neither slot is valid, or the system's error
 */
export async function readNewestSlot(file: FileHandle): Promise<LengthsSlot | undefined> {
  const octets = Buffer.alloc(2 * SLOT_BYTES)
  const { bytesRead } = await file.read(octets, 0, octets.length, 0)
  if (bytesRead === 0) return undefined
  const slots = [0, SLOT_BYTES].flatMap(
    (at) => readSlot(octets.subarray(at, Math.min(at + SLOT_BYTES, bytesRead))) ?? [],
  )
  if (slots.length === 0) throw new FormatError('it is damaged or has another format')
  return slots.reduce((newest, slot) => (slot.sequence > newest.sequence ? slot : newest))
}

/** @returns undefined for a slot that was never written or is incomplete */
function readSlot(octets: Buffer): LengthsSlot | undefined {
  if (octets.length < FRAME_BYTES) return undefined
  const content = octets.subarray(FRAME_BYTES, FRAME_BYTES + octets.readUInt32BE(0))
  if (content.length === 0 || crc32(content) !== octets.readUInt32BE(4)) return undefined
  const input = new OctetReader(content)
  if (!input.bytes(MAGIC.length).equals(MAGIC) || input.u16() !== FORMAT) return undefined
  const sequence = Number(input.u64())
  const bootId = input.text()
  const lengths = new Map<number, LogLength>()
  for (let left = input.u16(); left > 0; left--) {
    const generation = Number(input.u64())
    const writtenBytes = Number(input.u64())
    lengths.set(generation, { writtenBytes, syncedBytes: Number(input.u64()) })
  }
  return { sequence, bootId, lengths }
}
