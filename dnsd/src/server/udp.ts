import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { Listener, ListenOptions } from './listener.ts'

// What arrives while the event loop is busy waits in the kernel, as far as it lets us.
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024
// Answers that wait because the kernel's send buffer is full. Past this they are dropped, as the
// network would do it: who still wants one asks again.
const MAX_UNSENT_BYTES = 4 * 1024 * 1024

/**
 * Answers datagrams on one address, each from the socket it came to.
 *
 * @throws the system's error when the address cannot be taken
 */
export async function listenUdp(options: ListenOptions): Promise<Listener> {
  const { host, port, events, reusePort = false } = options
  const ipv6 = isIPv6(host)
  const socket = createSocket({
    type: ipv6 ? 'udp6' : 'udp4',
    ipv6Only: ipv6,
    reusePort,
    // Addresses are all there ever is to look up here, and they are their own answer.
    lookup: (address, _options, done) => {
      done(null, address, ipv6 ? 6 : 4)
    },
  })
  const bound = once(socket, 'listening')
  socket.bind({ address: host, port })
  await bound
  enlargeReceiveBuffer(socket)
  socket.on('error', (error) => {
    events.failed(error)
  })
  answerOn(socket, options)
  return {
    host,
    port: socket.address().port,
    async close() {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

function answerOn(socket: Socket, { respond, events }: ListenOptions): void {
  const sent = (error: Error | null): void => {
    if (error !== null) events.unsent(error)
  }
  socket.on('message', (packet: Buffer, client: RemoteInfo) => {
    // Nothing can be sent to port 0, so such a source is forged.
    if (client.port === 0) {
      events.dropped('udp')
      return
    }
    const reply = respond(packet, 'udp', client.address)
    if (reply === undefined) return
    if (socket.getSendQueueSize() > MAX_UNSENT_BYTES) {
      events.unsent(new Error('too many answers wait to be sent'))
      return
    }
    socket.send(reply, client.port, client.address, sent)
  })
}

function enlargeReceiveBuffer(socket: Socket): void {
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
  } catch {
    // Some systems refuse more than they allow, where others give what they have. Either will do.
  }
}
