/** Waiting for datagrams on several sockets at once, which receiving can do for one alone. */
import { EINTR, type Libc, loadLibc, POLLIN, SystemCallError } from './batch-socket-libc.ts'
import type { UdpDescriptor } from './udp-descriptor.ts'

/** struct pollfd: the descriptor, what is asked for, what is there. */
const POLLFD_OCTETS = 8
const EVENTS_AT = 4
const RETURNED_AT = 6

export class BatchPoll {
  readonly #libc: Libc
  readonly #count: number
  readonly #octets: Uint8Array
  readonly #view: DataView

  /** @throws Error when `loadLibc` does */
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
   * Waits until one has something, or the time is over, or a signal comes.
   *
   * @throws SystemCallError for a fault of this program
   */
  wait(timeoutMs: number): void {
    if (this.#libc.poll(this.#octets, this.#count, timeoutMs) >= 0) return
    const errno = this.#libc.errno()
    if (errno !== EINTR) throw new SystemCallError('poll', errno)
    for (let index = 0; index < this.#count; index++) {
      this.#view.setInt16(index * POLLFD_OCTETS + RETURNED_AT, 0, true)
    }
  }

  /** Whether receiving from a descriptor, by its place, would not wait: there is something, or a fault to be heard. */
  isReadable(index: number): boolean {
    return this.#view.getInt16(index * POLLFD_OCTETS + RETURNED_AT, true) !== 0
  }
}
