/** Waits for datagrams on several sockets at once. A receive call can wait for one socket only. */
import { EINTR, type Libc, loadLibc, POLLIN, SystemCallError } from './batch-socket-libc.ts'
import type { UdpDescriptor } from './udp-descriptor.ts'

/** struct pollfd: the descriptor, the requested events, the returned events. */
const POLLFD_OCTETS = 8
const EVENTS_AT = 4
const RETURNED_AT = 6

export class BatchPoll {
  readonly #libc: Libc
  readonly #count: number
  readonly #octets: Uint8Array
  readonly #view: DataView

  /** @throws Error when the C library cannot be called; see `loadLibc` */
  constructor(descriptors: readonly UdpDescriptor[]) {
    this.#libc = loadLibc()
    this.#count = descriptors.length
    this.#octets = new Uint8Array(descriptors.length * POLLFD_OCTETS)
    this.#view = new DataView(this.#octets.buffer)
    for (const [index, { fd }] of descriptors.entries()) {
      this.#view.setInt32(index * POLLFD_OCTETS, fd, true)
      this.#view.setInt16(index * POLLFD_OCTETS + EVENTS_AT, POLLIN, true)
    }
  }

  /**
   * Waits until a socket is readable, the timeout passes, or a signal arrives.
   *
   * @throws SystemCallError for a bug in this program
   */
  wait(timeoutMs: number): void {
    if (this.#libc.poll(this.#octets, this.#count, timeoutMs) >= 0) return
    const errno = this.#libc.errno()
    if (errno !== EINTR) throw new SystemCallError('poll', errno)
    for (let index = 0; index < this.#count; index++) {
      this.#view.setInt16(index * POLLFD_OCTETS + RETURNED_AT, 0, true)
    }
  }

  /** Whether receiving from the descriptor at `index` would return at once, with a datagram or an error. */
  isReadable(index: number): boolean {
    return this.#view.getInt16(index * POLLFD_OCTETS + RETURNED_AT, true) !== 0
  }
}
