/*
 * A UDP socket that receives up to 64 datagrams with one system call (recvmmsg) and sends their answers with another
 * (sendmmsg). `node:dgram` costs several times the work of an answer for each packet; here a batch shares most of
 * that cost. The calls block the thread, so the socket needs a dedicated thread. That thread must check for messages
 * each time `receive` returns, which is after RECEIVE_TIMEOUT_MS at the latest.
 *
 * Lifetime: `BatchMemory` owns the memory. It is allocated with the socket and freed by `release`. Every call has
 * finished with it when it returns. No call runs while JavaScript of the same thread runs, so `release` cannot free
 * memory that a call uses.
 *
 * Errors: nothing that a client or the network can cause throws. A call that could fail again at once is not repeated
 * without a pause. The remaining errors are bugs in this program (an invalid descriptor, an invalid address). They
 * throw, which ends the thread, and the main thread starts another one on `node:dgram`.
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

/** The offsets of the port and the address in sockaddr_in and sockaddr_in6. */
const PORT_AT = 2
const ADDRESS_AT = { 4: 4, 6: 8 } as const
const ADDRESS_OCTETS = { 4: 4, 6: 16 } as const

// The pause when the kernel is out of memory, because an immediate retry would fail too.
const PAUSE_MS = 10
const never = new Int32Array(new SharedArrayBuffer(4))

const FAULTS: ReadonlySet<number> = new Set([EBADF, EFAULT, ENOTSOCK])
const NO_ROOM: ReadonlySet<number> = new Set([EAGAIN, ENOBUFS, ENOMEM])

export class BatchSocket {
  /**
   * The receive buffers: the datagram of slot n is the first `octetsOf(n)` octets. Valid until the next `receive`.
   */
  readonly packets: readonly Uint8Array[]
  /** The address length of the family: 4 or 16. */
  readonly addressOctets: 4 | 16
  /** The memory that `addressAt` gives offsets into. */
  readonly names: Uint8Array
  readonly #addressAt: number

  readonly #libc: Libc
  readonly #fd: number
  readonly #memory: BatchMemory
  /** The number of answers that wait for `send`. */
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
   * Waits for datagrams and receives the available ones, at most SLOTS.
   *
   * @param isWaiting false: receives only datagrams that have already arrived
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

  /** The length of the datagram in a slot, in octets. */
  octetsOf(slot: number): number {
    return this.#memory.octetsReceived(slot)
  }

  /** The offset in `names` of the source address of a slot's datagram, which has `addressOctets` octets. */
  addressAt(slot: number): number {
    return this.#memory.nameAt(slot) + this.#addressAt
  }

  /** Reads the source address of a slot's datagram into `client`. */
  readClient(slot: number, client: ClientAddress): void {
    client.readOctets(this.names, this.addressAt(slot), this.addressOctets)
  }

  /** The source port of a slot's datagram. */
  portOf(slot: number): number {
    const at = this.#memory.nameAt(slot) + PORT_AT
    return ((this.names[at] ?? 0) << 8) | (this.names[at + 1] ?? 0)
  }

  /** The buffer for the next answer, of MAX_ANSWER_OCTETS. At most SLOTS answers fit between two `send` calls. */
  get out(): Uint8Array {
    const out = this.#memory.answers[this.#waiting]
    if (out === undefined) throw new RangeError('too many answers are queued')
    return out
  }

  /** Queues the contents of `out` as the answer to the datagram in a slot. `send` sends it. */
  answer(slot: number, octets: number): void {
    this.#memory.address(this.#waiting, slot, octets)
    this.#waiting += 1
  }

  /**
   * Sends the queued answers. An answer that the network refuses does not delay the others.
   *
   * @returns how many could not be sent; `lastError` has the reason
   * @throws SystemCallError for a bug in this program
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
      // Without room for one answer there is no room for the others. Any other error concerns the first answer only.
      const dropped = NO_ROOM.has(errno) ? end - begin : 1
      refused += dropped
      begin += dropped
    }
    return refused
  }

  /** The error of the last answer that could not be sent. */
  get lastError(): Error {
    return new SystemCallError('sendmmsg', this.#lastError)
  }

  /** Frees the memory. The descriptor's owner closes the descriptor. Do not use the socket afterwards. */
  release(): void {
    this.#memory.free()
  }
}

let unavailable: { readonly reason: string | undefined } | undefined

/**
 * Why batches cannot be used here, for the log; undefined when they can. The test is a datagram that a socket sends
 * to itself: a sandbox may forbid a system call, and a structure may have an unexpected layout.
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
      return hearsItself(socket, descriptor.port)
        ? undefined
        : 'a test datagram did not arrive complete'
    } finally {
      socket.release()
      closeUdp(descriptor)
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function hearsItself(socket: BatchSocket, port: number): boolean {
  const text = Buffer.from('a datagram to itself')
  // The datagram's source is this socket itself: AF_INET, the port, 127.0.0.1.
  const name = [AF_INET, 0, port >> 8, port & 0xff, 127, 0, 0, 1]
  socket.names.set(name, socket.addressAt(0) - ADDRESS_AT[4])
  socket.out.set(text)
  socket.answer(0, text.length)
  if (socket.send() !== 0 || socket.receive() !== 1) return false
  const packet = socket.packets[0]?.subarray(0, socket.octetsOf(0)) ?? new Uint8Array()
  return text.equals(packet) && socket.portOf(0) === port
}
