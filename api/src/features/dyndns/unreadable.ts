import { operations } from '@homing/openapi'
import type { Socket } from 'node:net'

const PATHS = new Set(Object.values(operations.dyndns).map(({ url }) => url as string))
const ANSWER =
  'HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncache-control: no-store\r\n' +
  'content-length: 9\r\nconnection: close\r\n\r\nbadagent\n'

/**
 * Answers what HTTP's parser gave up on, such as a URL without end, when it was meant for
 * an update URL: in a line of text, as everything there.
 *
 * @param error of Node's `clientError`; its first octets say what was asked for
 * @returns false when it was not, and nothing was sent
 */
export function answerUnreadableUpdate(
  error: Error & { readonly rawPacket?: unknown },
  socket: Socket,
): boolean {
  const { rawPacket } = error
  const begun = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 64) : ''
  const [, path = ''] = /^[A-Z]+ (\/[a-z0-9/]+)[? ]/.exec(begun) ?? []
  if (!PATHS.has(path) || !socket.writable) return false
  socket.end(ANSWER)
  return true
}
