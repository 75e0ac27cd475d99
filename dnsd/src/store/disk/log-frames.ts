import { crc32 } from 'node:zlib'
import { FRAME_BYTES, frameLength, FrameRoom } from './frame-room.ts'
import type { FileHandle } from './files.ts'

/** One entry of a log as octets, and where its frame begins. */
export interface LogFrame {
  readonly atBytes: number
  readonly payload: Buffer
}

const READ_BYTES = 64 * 1024

/**
 * Entries of a log as they lie, in pieces of about 64 KiB. It ends where the log does, and
 * before the first entry that is damaged. All are read into one room: a payload is good until the next
 * piece is asked for.
 *
 * @param fromBytes where a frame begins
 * @param endBytes no frame that begins here or behind is given
 */
export async function* readFrames(
  file: FileHandle,
  fromBytes: number,
  endBytes: number,
): AsyncGenerator<readonly LogFrame[]> {
  let atBytes = fromBytes
  const room = new FrameRoom(READ_BYTES)
  while (atBytes < endBytes) {
    if (!(await room.readMore(file, atBytes))) return
    const frames: LogFrame[] = []
    const taken = takeFrames(room.unread, atBytes, endBytes, frames)
    if (frames.length > 0) yield frames
    if (taken === undefined) return
    atBytes += taken
    room.take(taken)
  }
}

/** @returns octets that were taken; undefined at damage */
function takeFrames(
  octets: Buffer,
  fromBytes: number,
  endBytes: number,
  into: LogFrame[],
): number | undefined {
  let taken = 0
  while (octets.length - taken >= FRAME_BYTES && fromBytes + taken < endBytes) {
    const frameBytes = frameLength(octets.subarray(taken))
    if (frameBytes <= FRAME_BYTES) return undefined
    if (taken + frameBytes > octets.length) break
    const payload = octets.subarray(taken + FRAME_BYTES, taken + frameBytes)
    if (crc32(payload) !== octets.readUInt32BE(taken + 4)) return undefined
    into.push({ atBytes: fromBytes + taken, payload })
    taken += frameBytes
  }
  return taken
}
