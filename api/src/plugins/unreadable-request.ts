import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type Fault, problemOf } from './problem.ts'
import { BARE_HEADERS } from './security-headers.ts'

const UNREADABLE: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'header-too-large',
    detail: 'The headers are too large. Send smaller headers.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'malformed-request',
    detail: 'The request did not arrive in time.',
  },
}

/** Answers on the raw connection when the input is not valid HTTP (RFC 9112 §2.2), and closes the connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // Browsers open connections ahead. On one that sent nothing in time, an answer could be taken for that to the request
  // that is just being sent.
  const isUnused = socket.bytesRead === 0
  if (isUnused || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const fault = UNREADABLE[error.code ?? ''] ?? {
    code: 'malformed-request',
    detail: 'This is not a valid HTTP request.',
  }
  const problem = problemOf(fault, randomUUID())
  const { status, title } = problem
  const body = JSON.stringify(problem)
  const bare = Object.entries(BARE_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: application/problem+json; charset=utf-8\r\n${bare.join('')}` +
      `cache-control: no-store\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
