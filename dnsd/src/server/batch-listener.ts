/*
 * Answers in batches on a dedicated thread, in place of `listenUdp`.
 *
 * A turn waits in the kernel for datagrams, answers them all, and sends the answers. Turns run without the event
 * loop, which would cost more than a turn, for SLICE_MS or until no datagram comes. Then the event loop runs, for
 * settings and the stop order. Both are therefore handled after RECEIVE_TIMEOUT_MS plus SLICE_MS at the latest. The
 * table is entered for each batch and never while waiting, so a waiting thread does not delay the release of table
 * memory.
 */
import { ipv4ToText, ipv6ToText } from '../names/index.ts'
import { BatchPoll } from './batch-poll.ts'
import { BatchSocket } from './batch-socket.ts'
import type { ClientAddress } from './client-address.ts'
import type { DatagramAnswerer, Sender } from './datagram-answerer.ts'
import type { ServerEvents } from './events.ts'
import { RECEIVE_TIMEOUT_MS, type UdpDescriptor } from './udp-descriptor.ts'

// How long the event loop may wait while datagrams keep coming.
const SLICE_MS = 50
// How long the sockets keep answering during shutdown while packets still arrive.
const DRAIN_MS = 1000

export interface BatchOptions {
  /** The descriptors of all addresses. The thread that lends them closes them. */
  readonly descriptors: readonly UdpDescriptor[]
  readonly answerer: DatagramAnswerer
  readonly events: Pick<ServerEvents, 'dropped' | 'unsent'>
  /** Called with the time that each of `count` answers took from receipt to send. */
  readonly took?: (milliseconds: number, count: number) => void
}

/** The sender of the current datagram. One object is reused for all datagrams. */
class BatchSender implements Sender {
  slot = 0
  readonly #socket: BatchSocket

  constructor(socket: BatchSocket) {
    this.#socket = socket
  }

  readTo(client: ClientAddress): void {
    this.#socket.readClient(this.slot, client)
  }

  get address(): string {
    const { names, addressOctets } = this.#socket
    const at = this.#socket.addressAt(this.slot)
    const octets = names.subarray(at, at + addressOctets)
    return addressOctets === 4 ? ipv4ToText(octets) : ipv6ToText(octets)
  }
}

/** Starts answering. A socket fault is thrown out of the event loop, which ends the thread. */
export function listenInBatches(options: BatchOptions): { close(): Promise<void> } {
  const listener = new BatchListener(options)
  listener.begin()
  return listener
}

class BatchListener {
  readonly #sockets: readonly AnsweringSocket[]
  readonly #poll: BatchPoll
  #closing: { readonly closed: () => void; readonly promise: Promise<void> } | undefined

  constructor(options: BatchOptions) {
    this.#sockets = options.descriptors.map(
      (descriptor) => new AnsweringSocket(descriptor, options),
    )
    this.#poll = new BatchPoll(options.descriptors)
  }

  begin(): void {
    setImmediate(() => this.#slice())
  }

  /** Resolves when all received packets are answered, or after DRAIN_MS if more keep coming. */
  close(): Promise<void> {
    const { resolve, promise } = Promise.withResolvers<void>()
    this.#closing ??= { closed: resolve, promise }
    return this.#closing.promise
  }

  #slice(): void {
    if (this.#closing !== undefined) {
      this.#drain()
      this.#closing.closed()
      return
    }
    const endsAt = performance.now() + SLICE_MS
    while (this.#turn() > 0 && performance.now() < endsAt);
    this.begin()
  }

  /** @returns the number of datagrams received */
  #turn(): number {
    const [only] = this.#sockets
    if (only !== undefined && this.#sockets.length === 1) return only.turn(true)
    // A thread can wait for one socket by receiving. For several sockets it must poll.
    this.#poll.wait(RECEIVE_TIMEOUT_MS)
    return this.#turnOfAll()
  }

  #turnOfAll(): number {
    let count = 0
    for (const [index, socket] of this.#sockets.entries()) {
      if (this.#poll.isReadable(index)) count += socket.turn(false)
    }
    return count
  }

  #drain(): void {
    const endsAt = performance.now() + DRAIN_MS
    for (const socket of this.#sockets) {
      while (socket.turn(false) > 0 && performance.now() < endsAt);
      socket.release()
    }
  }
}

/** Answers on one address. */
export class AnsweringSocket {
  readonly #socket: BatchSocket
  readonly #sender: BatchSender
  readonly #options: Omit<BatchOptions, 'descriptors'>

  /** @param socket the socket of this descriptor */
  constructor(
    descriptor: UdpDescriptor,
    options: Omit<BatchOptions, 'descriptors'>,
    socket = new BatchSocket(descriptor),
  ) {
    this.#socket = socket
    this.#sender = new BatchSender(this.#socket)
    this.#options = options
  }

  /** @returns the number of datagrams received */
  turn(isWaiting: boolean): number {
    const { answerer, events, took } = this.#options
    const received = this.#socket.receive(isWaiting)
    if (received === 0) return 0
    const receivedAt = performance.now()
    answerer.begin(this.#socket, received)
    let answers = 0
    for (let slot = 0; slot < received; slot++) answers += this.#answer(slot)
    answerer.end()
    for (let refused = this.#socket.send(); refused > 0; refused--) {
      events.unsent(this.#socket.lastError)
    }
    if (answers > 0) took?.(performance.now() - receivedAt, answers)
    return received
  }

  release(): void {
    this.#socket.release()
  }

  /** @returns the number of answers to send: 0 or 1 */
  #answer(slot: number): number {
    const { answerer, events } = this.#options
    const socket = this.#socket
    const packet = socket.packets[slot]
    const octets = socket.octetsOf(slot)
    // Nothing can be sent to port 0, so such a source is forged.
    if (packet === undefined || socket.portOf(slot) === 0) {
      events.dropped('udp')
      return 0
    }
    this.#sender.slot = slot
    const bytes = answerer.answer(packet, octets, this.#sender, socket.out, slot)
    if (bytes === 0) return 0
    socket.answer(slot, bytes)
    return 1
  }
}
