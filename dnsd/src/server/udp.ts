import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClientAddress } from './client-address.ts'
import { DATAGRAM_ANSWER_BYTES, type DatagramAnswerer, type Sender } from './datagram-answerer.ts'
import type { ServerEvents } from './events.ts'
import type { Listener } from './listener.ts'

export interface UdpOptions {
  /** An IPv4 or IPv6 address. An IPv6 wildcard does not take IPv4 along. */
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly answerer: DatagramAnswerer
  readonly events: Pick<ServerEvents, 'dropped' | 'failed' | 'unsent'>
  /** Told how long `count` answers took from receipt to send, each. */
  readonly took?: (milliseconds: number, count: number) => void
  /** Lets several threads or processes share the address; the kernel spreads the clients. */
  readonly reusePort?: boolean
}

// What arrives while the event loop is busy waits in the kernel, as far as it lets us.
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024
// Answers that wait because the kernel's send buffer is full. Past this they are dropped, as the
// network would do it: who still wants one asks again.
const MAX_UNSENT_BYTES = 4 * 1024 * 1024
// One answer in so many is timed, for which a clock is read twice, and told of what became of it, for which `node:dgram`
// takes a fortieth of all that it takes for a packet.
const WATCHED_ONE_IN = 8
// How long a socket goes on answering at its end, while packets still come.
const DRAIN_MS = 1000

/**
 * Answers datagrams on one address through `node:dgram`, each from the socket it came to.
 *
 * @throws the system's error when the address cannot be taken
 */
export async function listenUdp(options: UdpOptions): Promise<Listener> {
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

/** Who sent the datagram that is being answered: one object stands for each in turn. */
class SocketSender implements Sender {
  address = ''

  readTo(client: ClientAddress): void {
    client.readText(this.address)
  }
}

/** What became of an answer that left. */
type Sent = (error: Error | null) => void

/** Answers what comes to one socket. */
class SocketAnswers {
  readonly #socket: Socket
  readonly #options: UdpOptions
  readonly #sent: Sent
  /** The same for one that stands for others. */
  readonly #watched: Sent
  readonly #sender = new SocketSender()
  #packets = 0
  /** Answers that could not leave at once, as it was after the last one: mostly none, and then still none. */
  #waiting = 0
  #out = Buffer.alloc(DATAGRAM_ANSWER_BYTES)
  // The beginning of `out` by its length: making a view for each answer would cost more than looking here.
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

  /** Resolves when nothing that was received waits, or too much keeps coming. */
  async drained(): Promise<void> {
    const endsAt = performance.now() + DRAIN_MS
    for (let before = -1; performance.now() < endsAt;) {
      if (before === this.#packets && this.#socket.getSendQueueCount() === 0) return
      before = this.#packets
      // The second turn has looked for packets all through.
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
    // What has to wait behind others is told of each: then the network is in trouble already.
    const done = waiting > 0 ? this.#sent : told
    socket.send(this.#view(bytes), client.port, client.address, done)
    // An answer that could not leave at once is still to be read by the kernel.
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
    // Some systems refuse more than they allow, where others give what they have. Either will do.
  }
}
