import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClientAddress } from './client-address.ts'
import { DATAGRAM_ANSWER_BYTES, type DatagramAnswerer, type Sender } from './datagram-answerer.ts'
import type { ServerEvents } from './events.ts'
import type { Listener } from './listener.ts'

export interface UdpOptions {
  /** An IPv4 or IPv6 address. An IPv6 wildcard does not include IPv4. */
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly answerer: DatagramAnswerer
  readonly events: Pick<ServerEvents, 'dropped' | 'failed' | 'unsent'>
  /** Called with the time that each of `count` answers took from receipt to send. */
  readonly took?: (milliseconds: number, count: number) => void
  /** Lets several threads or processes share the address; the kernel distributes the clients. */
  readonly reusePort?: boolean
}

// Packets that arrive while the event loop is busy wait in this kernel buffer; the kernel may limit its size.
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024
// The limit of answers that wait because the kernel's send buffer is full. Above it, answers are dropped, as
// the network would do. Clients that still need an answer ask again.
const MAX_UNSENT_BYTES = 4 * 1024 * 1024
// One of this many answers is watched: it is timed, which needs two clock readings, and gets a send callback,
// which takes a fortieth of the work of `node:dgram` for a packet.
const WATCHED_ONE_IN = 8
// How long a socket keeps answering during shutdown while packets still arrive.
const DRAIN_MS = 1000

/**
 * Answers datagrams on one address through `node:dgram`, each from the socket that received it.
 *
 * @throws the system error when the address cannot be bound
 */
export async function listenUdp(options: UdpOptions): Promise<Listener> {
  const { host, port, events, reusePort = false } = options
  const ipv6 = isIPv6(host)
  const socket = createSocket({
    type: ipv6 ? 'udp6' : 'udp4',
    ipv6Only: ipv6,
    reusePort,
    // Only addresses are looked up here, and an address resolves to itself.
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
  const answers = new SocketAnswers(socket, options)
  socket.on('message', (packet, client) => {
    answers.answer(packet, client)
  })
  return {
    host,
    port: socket.address().port,
    async close() {
      await answers.drained()
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

/** The sender of the current datagram. One object is reused for all datagrams. */
class SocketSender implements Sender {
  address = ''

  readTo(client: ClientAddress): void {
    client.readText(this.address)
  }
}

/** The callback with the result of a send. */
type Sent = (error: Error | null) => void

/** Answers the datagrams of one socket. */
class SocketAnswers {
  readonly #socket: Socket
  readonly #options: UdpOptions
  readonly #sent: Sent
  /** The callback of a watched answer, which represents several. */
  readonly #watched: Sent
  readonly #sender = new SocketSender()
  #packets = 0
  /**
   * Answers in the send queue after the last send. Usually the queue was empty, and then it still is.
   */
  #waiting = 0
  #out = Buffer.alloc(DATAGRAM_ANSWER_BYTES)
  // Views of the beginning of `out`, by length: making a view for each answer would cost more than this
  // lookup.
  #views: Buffer[] = []

  constructor(socket: Socket, options: UdpOptions) {
    this.#socket = socket
    this.#options = options
    const { events } = options
    this.#sent = (error) => {
      if (error !== null) events.unsent(error)
    }
    this.#watched = (error) => {
      if (error === null) return
      for (let count = 0; count < WATCHED_ONE_IN; count++) events.unsent(error)
    }
  }

  answer(packet: Buffer, client: RemoteInfo): void {
    const isWatched = this.#packets % WATCHED_ONE_IN === 0
    this.#packets += 1
    if (!isWatched) {
      this.#answer(packet, client, undefined)
      return
    }
    const receivedAt = performance.now()
    this.#answer(packet, client, this.#watched)
    this.#options.took?.(performance.now() - receivedAt, WATCHED_ONE_IN)
  }

  /** Resolves when no received packet waits, or after DRAIN_MS if more keep coming. */
  async drained(): Promise<void> {
    const endsAt = performance.now() + DRAIN_MS
    for (let before = -1; performance.now() < endsAt;) {
      if (before === this.#packets && this.#socket.getSendQueueCount() === 0) return
      before = this.#packets
      // The second turn has polled for packets completely.
      await nextTurn()
      await nextTurn()
    }
  }

  #answer(packet: Buffer, client: RemoteInfo, told: Sent | undefined): void {
    const { answerer, events } = this.#options
    // Nothing can be sent to port 0, so such a source is forged.
    if (client.port === 0) {
      events.dropped('udp')
      return
    }
    this.#sender.address = client.address
    answerer.begin()
    const bytes = answerer.answer(packet, packet.length, this.#sender, this.#out)
    answerer.end()
    if (bytes === 0) return
    const socket = this.#socket
    const waiting = this.#waiting === 0 ? 0 : socket.getSendQueueCount()
    if (waiting > 0 && socket.getSendQueueSize() > MAX_UNSENT_BYTES) {
      events.unsent(new Error('too many answers wait to be sent'))
      return
    }
    // While answers are queued, each one gets a callback: the network is in trouble already.
    const done = waiting > 0 ? this.#sent : told
    socket.send(this.#view(bytes), client.port, client.address, done)
    // The kernel has not read a queued answer yet.
    this.#waiting = socket.getSendQueueCount()
    if (this.#waiting > waiting) {
      this.#out = Buffer.alloc(DATAGRAM_ANSWER_BYTES)
      this.#views = []
    }
  }

  #view(bytes: number): Buffer {
    return (this.#views[bytes] ??= this.#out.subarray(0, bytes))
  }
}

function enlargeReceiveBuffer(socket: Socket): void {
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
  } catch {
    // Some systems refuse a size above their limit, others reduce it. Both are acceptable.
  }
}
