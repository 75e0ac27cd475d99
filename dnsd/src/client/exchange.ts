/* Exchanges one message with a server over UDP or TCP. */
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import type { DnsServer } from './server.ts'

const LENGTH_BYTES = 2

/** The server closed the connection before its answer was complete. */
class ConnectionClosed extends Error {
  constructor() {
    super('it closed the connection before its answer was whole')
    this.name = 'ConnectionClosed'
  }
}

/**
 * Sends a datagram and waits for an accepted answer. Other datagrams are ignored, because anybody can send
 * them.
 *
 * @returns the accepted message
 * @throws the reason of `signal`, or the system's error, such as when nothing listens there
 */
export async function exchangeOverUdp(
  { address, port }: DnsServer,
  message: Uint8Array,
  isAccepted: (answer: Buffer) => boolean,
  signal: AbortSignal,
): Promise<Buffer> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  const answered = Promise.withResolvers<Buffer>()
  const abort = (): void => answered.reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    socket.on('error', answered.reject)
    socket.on('message', (answer) => {
      if (isAccepted(answer)) answered.resolve(answer)
    })
    // Connected, so that the kernel drops datagrams from other senders, and reports when the port is
    // closed.
    socket.on('connect', () => socket.send(message))
    socket.connect(port, address)
    return await answered.promise
  } finally {
    signal.removeEventListener('abort', abort)
    socket.close()
  }
}

/**
 * Sends a message over a new connection (RFC 7766) and waits for the answer.
 *
 * @throws ConnectionClosed; the reason of `signal`; the system's error
 */
export async function exchangeOverTcp(
  { address, port }: DnsServer,
  message: Uint8Array,
  signal: AbortSignal,
): Promise<Buffer> {
  signal.throwIfAborted()
  const socket = connect({ port, host: address, noDelay: true })
  const abort = (): void => void socket.destroy(signal.reason as Error)
  signal.addEventListener('abort', abort)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt16BE(message.length)
  let received = Buffer.alloc(0)
  try {
    socket.write(Buffer.concat([length, message]))
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer])
      if (received.length < LENGTH_BYTES) continue
      const end = LENGTH_BYTES + received.readUInt16BE(0)
      if (received.length >= end) return received.subarray(LENGTH_BYTES, end)
    }
    throw new ConnectionClosed()
  } finally {
    signal.removeEventListener('abort', abort)
    socket.destroy()
  }
}
