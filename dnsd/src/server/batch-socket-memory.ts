/*
 * The memory that a batch socket and the kernel share.
 *
 * The kernel is given addresses: of headers, of the vectors they point to, of names and of buffers. One that no
 * longer holds what it held corrupts the heap. Hence:
 *
 * - All of it is one piece from `calloc` (`koffi.alloc`), outside the JavaScript heap: the garbage collector neither
 *   moves nor frees it, whatever is referenced. JavaScript sees it through one ArrayBuffer over the same octets
 *   (`koffi.view`), which does not own it.
 * - Every pointer inside it is written once, here. What changes later are lengths and contents.
 * - It is freed in one place, `free`, which the socket calls after its descriptor is closed, so that the kernel has
 *   no use for it any more. The ArrayBuffer is detached first: whoever still holds one of its views then sees
 *   nothing, instead of memory that is someone else's.
 * - A thread that dies without `free` leaks what was touched of it, some 400 KiB, and nothing dangles.
 *
 * There are SLOTS slots. A slot of what arrives has a header (struct mmsghdr), a vector (struct iovec), a name (struct
 * sockaddr_in or sockaddr_in6) and a buffer; a slot of what is sent has the same.
 */
import type { Libc, Pointer } from './batch-socket-libc.ts'

/** Datagrams received or sent by one call, at most. */
export const SLOTS = 64
/** No datagram is longer: none is ever cut off. What no datagram has reached takes addresses and no memory. */
export const MAX_PACKET_OCTETS = 65_535
/** Above every limit of answers over UDP. */
export const MAX_ANSWER_OCTETS = 1_536

/** struct mmsghdr of 64-bit Linux: where its members are, in octets. */
const HEADER_OCTETS = 64
const HEADER = { name: 0, nameOctets: 8, vector: 16, vectors: 24, octets: 56 } as const
/** struct iovec: the address and the length of one buffer. */
const VECTOR_OCTETS = 16
const VECTOR = { base: 0, octets: 8 } as const
/** Room for either sockaddr, at a distance that divides into words. */
const NAME_OCTETS = 32
const SOCKADDR_OCTETS = { 4: 16, 6: 28 } as const
// One line of the cache more than whole pages, lest the beginnings of all packets share one set of it.
const PACKET_STRIDE = 65_536 + 64

/** Where each part begins; all of them multiples of 64. */
const HALF_OCTETS = SLOTS * (HEADER_OCTETS + VECTOR_OCTETS + NAME_OCTETS)
const PACKETS_AT = 2 * HALF_OCTETS
const ANSWERS_AT = PACKETS_AT + SLOTS * PACKET_STRIDE
const TOTAL_OCTETS = ANSWERS_AT + SLOTS * MAX_ANSWER_OCTETS

const WORD_SHIFT = 2

export class BatchMemory {
  /** Whole buffers of what arrives, one a slot. */
  readonly packets: readonly Uint8Array[]
  /** Whole buffers of what is sent, one a slot. */
  readonly answers: readonly Uint8Array[]
  /** Everything, for names: `nameAt`. */
  readonly octets: Uint8Array
  readonly receivePointer: Pointer
  /** Of the header of each slot: a call may begin at any. */
  readonly sendPointers: readonly Pointer[]
  /** Octets of a name. */
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

  /** Octets of the datagram that arrived in a slot. */
  octetsReceived(slot: number): number {
    return this.#words[(slot * HEADER_OCTETS + HEADER.octets) >> WORD_SHIFT] ?? 0
  }

  /** Where in `octets` the sockaddr of whoever sent a slot's datagram begins. */
  nameAt(slot: number): number {
    return namesAt('received') + slot * NAME_OCTETS
  }

  /** Makes the answer in slot `answer` one of `octets` octets to whoever sent what arrived in slot `packet`. */
  address(answer: number, packet: number, octets: number): void {
    const words = this.#words
    const from = this.nameAt(packet) >> WORD_SHIFT
    const to = (namesAt('sent') + answer * NAME_OCTETS) >> WORD_SHIFT
    for (let word = 0; word < NAME_OCTETS >> WORD_SHIFT; word++) {
      words[to + word] = words[from + word] ?? 0
    }
    // The high half of the length is zero since calloc.
    words[(vectorsAt('sent') + answer * VECTOR_OCTETS + VECTOR.octets) >> WORD_SHIFT] = octets
  }

  /** To be called once, when no call of the kernel can use the memory any more. */
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
        // The kernel writes the length of the name back, which is this one for every datagram of the family.
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
