import type { Socket } from 'node:net'

const HEADERS_TOO_LARGE = {
  status: 431,
  title: 'Request Header Fields Too Large',
  text: 'The headers are too large. Send smaller headers.',
}
const TOO_LATE = {
  status: 408,
  title: 'Request Timeout',
  text: 'The request did not arrive in time.',
}
const MALFORMED = { status: 400, title: 'Bad Request', text: 'This is not a valid HTTP request.' }
const FAULTS: Readonly<Record<string, typeof MALFORMED>> = {
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_LATE,
}

/**
 * Answers on the raw connection when the input is not valid HTTP (RFC 9112 §2.2), and closes the connection.
 *
 * @returns the status; undefined when it could not answer
 */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
): number | undefined {
  // Browsers open connections ahead. On one that sent nothing in time, an answer could be taken for that to the request
  // that is just being sent.
  const isUnused = socket.bytesRead === 0
  if (isUnused || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return undefined
  }
  // After an earlier answer, the client could take this one for the answer to another request.
  if (socket.bytesWritten > 0) {
    socket.destroySoon()
    return undefined
  }
  const { status, title, text } = FAULTS[error.code ?? ''] ?? MALFORMED
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: text/plain; charset=utf-8\r\nx-content-type-options: nosniff\r\n` +
      `cache-control: no-store\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
  return status
}
