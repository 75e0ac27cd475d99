/*
 * A UDP socket that receives up to 64 datagrams by one system call (recvmmsg) and sends their answers by another
 * (sendmmsg). `node:dgram` costs several times the work of an answer for each packet; here most of that is shared by
 * a batch. The calls block the thread, so it is one that does nothing else, and it has to look up at least each time
 * `receive` returns, which is after RECEIVE_TIMEOUT_MS at the latest.
 *
 * Lifetime: the memory is `BatchMemory`'s, made with the socket and gone with `release`, and every call is done
 * with it when it returns. No call is ever under way while JavaScript of the same thread runs, so `release` cannot
 * take memory from one.
 *
 * Errors: nothing that a client or the network can cause throws. A call that could be refused again at once is not
 * repeated without a pause. What is left are faults of this program (a descriptor that is none, an address that is
 * none): they throw, which ends the thread, and whoever watches it starts another on `node:dgram`.
 */
import { BatchMemory, SLOTS } from './batch-socket-memory.ts'
import {
  AF_INET,
  EAGAIN,
  EBADF,
  EFAULT,
  EINTR,
  ENOBUFS,
  ENOMEM,
  ENOTSOCK,
  type Libc,
  loadLibc,
  MSG_DONTWAIT,
  MSG_WAITFORONE,
  SystemCallError,
} from './batch-socket-libc.ts'
import type { ClientAddress } from './client-address.ts'
import { closeUdp, openUdp, type UdpDescriptor } from './udp-descriptor.ts'

export { MAX_ANSWER_OCTETS, MAX_PACKET_OCTETS, SLOTS } from './batch-socket-memory.ts'
export { closeUdp, openUdp, type UdpDescriptor } from './udp-descriptor.ts'

/** Where the port and the address are in sockaddr_in and sockaddr_in6. */
const PORT_AT = 2
const ADDRESS_AT = { 4: 4, 6: 8 } as const
const ADDRESS_OCTETS = { 4: 4, 6: 16 } as const

// The kernel is short of memory: it has none a moment later either.
const PAUSE_MS = 10
const never = new Int32Array(new SharedArrayBuffer(4))

const FAULTS: ReadonlySet<number> = new Set([EBADF, EFAULT, ENOTSOCK])
const NO_ROOM: ReadonlySet<number> = new Set([EAGAIN, ENOBUFS, ENOMEM])

export class BatchSocket {
  /** Whole buffers: the datagram of slot n is the first `octetsOf(n)` octets. Good until the next `receive`. */
  readonly packets: readonly Uint8Array[]
  /** Of the family: 4 or 16. */
  readonly addressOctets: 4 | 16
  /** Where `addressAt` points into. */
  readonly names: Uint8Array
  readonly #addressAt: number

  readonly #libc: Libc
  readonly #fd: number
  readonly #memory: BatchMemory
  /** Answers that wait for `send`. */
  #waiting = 0
  #lastError = 0

  /**
   * @param libc the system's
   * @throws Error when `loadLibc` does
   */
  constructor({ fd, family }: UdpDescriptor, libc: Libc = loadLibc()) {
    this.#libc = libc
    this.#fd = fd
    this.#memory = new BatchMemory(this.#libc, family)
    this.packets = this.#memory.packets
    this.names = this.#memory.octets
    this.addressOctets = ADDRESS_OCTETS[family]
    this.#addressAt = ADDRESS_AT[family]
  }

  /**
   * Waits for datagrams and takes those that are there, at most SLOTS.
   *
   * @param isWaiting false takes only what is there
   * @returns how many; 0 when none came in time
   * @throws SystemCallError for a fault of this program
   */
  receive(isWaiting = true): number {
    const flags = isWaiting ? MSG_WAITFORONE : MSG_DONTWAIT
    const count = this.#libc.recvmmsg(this.#fd, this.#memory.receivePointer, SLOTS, flags, null)
    if (count >= 0) return count
    const errno = this.#libc.errno()
    if (errno === EAGAIN || errno === EINTR) return 0
    if (FAULTS.has(errno)) throw new SystemCallError('recvmmsg', errno)
    Atomics.wait(never, 0, 0, PAUSE_MS)
    return 0
  }

  /** Octets of the datagram in a slot. */
  octetsOf(slot: number): number {
    return this.#memory.octetsReceived(slot)
  }

  /** Where in `names` the address begins that a slot's datagram came from: `addressOctets` octets. */
  addressAt(slot: number): number {
    return this.#memory.nameAt(slot) + this.#addressAt
  }

  /** Reads the address that a slot's datagram came from. */
  readClient(slot: number, client: ClientAddress): void {
    client.readOctets(this.names, this.addressAt(slot), this.addressOctets)
  }

  /** The port that a slot's datagram came from. */
  portOf(slot: number): number {
    const at = this.#memory.nameAt(slot) + PORT_AT
    return ((this.names[at] ?? 0) << 8) | (this.names[at + 1] ?? 0)
  }

  /** Where the next answer is to be written: room for MAX_ANSWER_OCTETS. At most SLOTS answers between two `send`. */
  get out(): Uint8Array {
    const out = this.#memory.answers[this.#waiting]
    if (out === undefined) throw new RangeError('there are as many answers as there is room for')
    return out
  }

  /** Lets what was written to `out` be the answer to the datagram in a slot; it leaves with `send`. */
  answer(slot: number, octets: number): void {
    this.#memory.address(this.#waiting, slot, octets)
    this.#waiting += 1
  }

  /**
   * Sends the answers. One that the network does not take does not hold up the others.
   *
   * @returns how many could not be sent; `lastError` tells why
   * @throws SystemCallError for a fault of this program
   */
  send(): number {
    const end = this.#waiting
    this.#waiting = 0
    let refused = 0
    for (let begin = 0; begin < end;) {
      const pointer = this.#memory.sendPointers[begin] ?? this.#memory.receivePointer
      const sent = this.#libc.sendmmsg(this.#fd, pointer, end - begin, 0)
      if (sent > 0) {
        begin += sent
        continue
      }
      const errno = this.#libc.errno()
      if (errno === EINTR) continue
      if (FAULTS.has(errno)) throw new SystemCallError('sendmmsg', errno)
      this.#lastError = errno
      // No room for one is no room for the others. Anything else is about the first of them.
      const dropped = NO_ROOM.has(errno) ? end - begin : 1
      refused += dropped
      begin += dropped
    }
    return refused
  }

  /** Why the last answer that could not be sent was not. */
  get lastError(): Error {
    return new SystemCallError('sendmmsg', this.#lastError)
  }

  /** Gives the memory back. The descriptor is its owner's to close. Nothing may be called afterwards. */
  release(): void {
    this.#memory.free()
  }
}

let unavailable: { readonly reason: string | undefined } | undefined

/**
 * Why batches cannot be used here, for the log; undefined when they can. A datagram that a socket sends to itself
 * shows it: a system call may be forbidden (as some sandboxes do), and a structure may be another than is thought.
 */
export function batchUnavailable(): string | undefined {
  unavailable ??= { reason: trial() }
  return unavailable.reason
}

function trial(): string | undefined {
  try {
    const descriptor = openUdp({ host: '127.0.0.1', port: 0 })
    const socket = new BatchSocket(descriptor)
    try {
      return hearsItself(socket, descriptor.port) ? undefined : 'a datagram did not come back whole'
    } finally {
      socket.release()
      closeUdp(descriptor)
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function hearsItself(socket: BatchSocket, port: number): boolean {
  const text = Buffer.from('what leaves comes back')
  // As if it had come from this very socket: AF_INET, the port, 127.0.0.1.
  const name = [AF_INET, 0, port >> 8, port & 0xff, 127, 0, 0, 1]
  socket.names.set(name, socket.addressAt(0) - ADDRESS_AT[4])
  socket.out.set(text)
  socket.answer(0, text.length)
  if (socket.send() !== 0 || socket.receive() !== 1) return false
  const packet = socket.packets[0]?.subarray(0, socket.octetsOf(0)) ?? new Uint8Array()
  return text.equals(packet) && socket.portOf(0) === port
}
