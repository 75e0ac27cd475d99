/** The export of all data about the user. */
import { api } from './client.ts'
import { answerOf, NetworkFailure } from './problem.ts'

/** The archive ended before its last field. */
class CutOff extends Error {
  override readonly name = 'CutOff'
}

/** The end of a complete archive. */
const END = /"is_complete":\s*true\s*\}\s*$/
const END_OCTETS = 64

async function isComplete(archive: Blob): Promise<boolean> {
  return END.test(await archive.slice(-END_OCTETS).text())
}

/** @throws NetworkFailure */
async function received(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onReceived: (octets: number) => void,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let octets = 0
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return new Blob(parts, { type: 'application/json' })
      parts.push(value)
      octets += value.byteLength
      onReceived(octets)
    }
  } catch (cause) {
    throw new NetworkFailure(cause)
  }
}

/**
 * Downloads the archive.
 *
 * @param onReceived called with the number of octets received so far
 * @throws ApiProblem, NetworkFailure, and CutOff when the archive is incomplete
 */
export async function downloadArchive(
  signal: AbortSignal,
  onReceived: (octets: number) => void,
): Promise<Blob> {
  const { data } = await answerOf(api.GET('/api/me/export', { parseAs: 'stream', signal }))
  if (data === null) throw new CutOff('The service sent an empty file. Please try again.')
  const archive = await received(data, onReceived)
  if (!(await isComplete(archive))) {
    throw new CutOff('The download was cut off, so the file is incomplete. Please try again.')
  }
  return archive
}
