/*
 * The memory that a batch socket shares with the kernel.
 *
 * The kernel is given the addresses of headers, of the vectors that they point to, of names and of buffers. A stale
 * address would corrupt the heap. Hence:
 *
 * - All memory is one allocation from `calloc` (`koffi.alloc`), outside the JavaScript heap. The garbage collector
 *   neither moves nor frees it. JavaScript accesses it through one ArrayBuffer over the same octets (`koffi.view`),
 *   which does not own it.
 * - Every pointer inside it is written once, in this file. Only lengths and contents change later.
 * - It is freed in one place, `free`. The socket calls it after its descriptor is closed, when the kernel no longer
 *   uses the memory. The ArrayBuffer is detached first, so a remaining view is empty instead of showing memory that
 *   has another owner.
 * - A thread that dies without `free` leaks the pages that it touched, some 400 KiB. It leaves no dangling pointers.
 *
 * There are SLOTS slots. A receive slot has a header (struct mmsghdr), a vector (struct iovec), a name (struct
 * sockaddr_in or sockaddr_in6) and a buffer. A send slot has the same.
 */
import type { Libc, Pointer } from './batch-socket-libc.ts'

/** The maximum number of datagrams received or sent by one call. */
export const SLOTS = 64
/** The maximum datagram size, so no datagram is truncated. Untouched pages use address space and no memory. */
export const MAX_PACKET_OCTETS = 65_535
/** Larger than every limit for answers over UDP. */
export const MAX_ANSWER_OCTETS = 1_536

/** struct mmsghdr of 64-bit Linux: the offsets of its members, in octets. */
const HEADER_OCTETS = 64
const HEADER = { name: 0, nameOctets: 8, vector: 16, vectors: 24, octets: 56 } as const
/** struct iovec: the address and the length of one buffer. */
const VECTOR_OCTETS = 16
const VECTOR = { base: 0, octets: 8 } as const
/** Room for either sockaddr, word-aligned. */
const NAME_OCTETS = 32
const SOCKADDR_OCTETS = { 4: 16, 6: 28 } as const
// One cache line more than whole pages, so that packet starts do not all map to the same cache set.
const PACKET_STRIDE = 65_536 + 64

/** The offset of each part; all are multiples of 64. */
const HALF_OCTETS = SLOTS * (HEADER_OCTETS + VECTOR_OCTETS + NAME_OCTETS)
const PACKETS_AT = 2 * HALF_OCTETS
const ANSWERS_AT = PACKETS_AT + SLOTS * PACKET_STRIDE
const TOTAL_OCTETS = ANSWERS_AT + SLOTS * MAX_ANSWER_OCTETS

const WORD_SHIFT = 2

export class BatchMemory {
  /** The receive buffers, one per slot. */
  readonly packets: readonly Uint8Array[]
  /** The send buffers, one per slot. */
  readonly answers: readonly Uint8Array[]
  /** The whole memory; `nameAt` gives offsets into it. */
  readonly octets: Uint8Array
  readonly receivePointer: Pointer
  /** Pointers to the header of each slot. A call may begin at any slot. */
  readonly sendPointers: readonly Pointer[]
  /** The length of a name, in octets. */
  readonly nameOctets: number

  readonly #libc: Libc
  readonly #pointer: Pointer
  readonly #buffer: ArrayBuffer
  readonly #words: Uint32Array

  constructor(libc: Libc, family: 4 | 6) {
    this.#libc = libc
    this.nameOctets = SOCKADDR_OCTETS[family]
    this.#pointer = libc.allocate(TOTAL_OCTETS)
    this.#buffer = libc.view(this.#pointer, TOTAL_OCTETS)
    this.#words = new Uint32Array(this.#buffer)
    this.octets = new Uint8Array(this.#buffer)
    this.packets = slices(this.#buffer, PACKETS_AT, PACKET_STRIDE, MAX_PACKET_OCTETS)
    this.answers = slices(this.#buffer, ANSWERS_AT, MAX_ANSWER_OCTETS, MAX_ANSWER_OCTETS)
    this.receivePointer = this.#pointer
    this.sendPointers = Array.from({ length: SLOTS }, (_, slot) => this.#header('sent', slot))
    this.#writePointers()
  }

  /** The length of the datagram received in a slot, in octets. */
  octetsReceived(slot: number): number {
    return this.#words[(slot * HEADER_OCTETS + HEADER.octets) >> WORD_SHIFT] ?? 0
  }

  /** The offset in `octets` of the sockaddr of the sender of a slot's datagram. */
  nameAt(slot: number): number {
    return namesAt('received') + slot * NAME_OCTETS
  }

  /** Addresses the answer in slot `answer`, of `octets` octets, to the sender of the packet in slot `packet`. */
  address(answer: number, packet: number, octets: number): void {
    const words = this.#words
    const from = this.nameAt(packet) >> WORD_SHIFT
    const to = (namesAt('sent') + answer * NAME_OCTETS) >> WORD_SHIFT
    for (let word = 0; word < NAME_OCTETS >> WORD_SHIFT; word++) {
      words[to + word] = words[from + word] ?? 0
    }
    // The high half of the length stays zero, as calloc left it.
    words[(vectorsAt('sent') + answer * VECTOR_OCTETS + VECTOR.octets) >> WORD_SHIFT] = octets
  }

  /** Frees the memory. Call it once, when no kernel call can use the memory any more. */
  free(): void {
    this.#buffer.transfer(0)
    this.#libc.free(this.#pointer)
  }

  #header(half: Half, slot: number): Pointer {
    return this.#pointer + BigInt(headersAt(half) + slot * HEADER_OCTETS)
  }

  #writePointers(): void {
    const view = new DataView(this.#buffer)
    const pointTo = (at: number, target: number): void => {
      view.setBigUint64(at, this.#pointer + BigInt(target), true)
    }
    for (const half of ['received', 'sent'] as const) {
      for (let slot = 0; slot < SLOTS; slot++) {
        const header = headersAt(half) + slot * HEADER_OCTETS
        const vector = vectorsAt(half) + slot * VECTOR_OCTETS
        pointTo(header + HEADER.name, namesAt(half) + slot * NAME_OCTETS)
        // The kernel writes the name length back. It is the same for every datagram of the family.
        view.setUint32(header + HEADER.nameOctets, this.nameOctets, true)
        pointTo(header + HEADER.vector, vector)
        view.setBigUint64(header + HEADER.vectors, 1n, true)
        if (half === 'received') {
          pointTo(vector + VECTOR.base, PACKETS_AT + slot * PACKET_STRIDE)
          view.setBigUint64(vector + VECTOR.octets, BigInt(MAX_PACKET_OCTETS), true)
        } else {
          pointTo(vector + VECTOR.base, ANSWERS_AT + slot * MAX_ANSWER_OCTETS)
        }
      }
    }
  }
}

type Half = 'received' | 'sent'

function headersAt(half: Half): number {
  return half === 'received' ? 0 : HALF_OCTETS
}

function vectorsAt(half: Half): number {
  return headersAt(half) + SLOTS * HEADER_OCTETS
}

function namesAt(half: Half): number {
  return vectorsAt(half) + SLOTS * VECTOR_OCTETS
}

function slices(buffer: ArrayBuffer, begin: number, stride: number, octets: number): Uint8Array[] {
  return Array.from(
    { length: SLOTS },
    (_, slot) => new Uint8Array(buffer, begin + slot * stride, octets),
  )
}
