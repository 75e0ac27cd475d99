import { crc32 } from 'node:zlib'
import { FRAME_BYTES, frameLength, FrameRoom } from './frame-room.ts'
import type { FileHandle } from './files.ts'

/** The octets of one log entry, and the offset of its frame. */
export interface LogFrame {
  readonly atBytes: number
  readonly payload: Buffer
}

const READ_BYTES = 64 * 1024

/**
 * The entries of a log in file order, in pieces of about 64 KiB. It ends at the end of the log or
 * before the first damaged entry. All pieces share one buffer: a payload is valid until the next
 * piece is requested.
 *
 * @param fromBytes the offset of a frame
 * @param endBytes frames that begin here or later are not returned
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

/** @returns the number of octets taken; undefined at a damaged entry */
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
