/*
 * The questions of a batch, all of them read before the first is answered.
 *
 * Most of a look-up in a large zone is waiting for memory: for the tag in the index, then for the ref, then for the
 * entry, each known only when the one before it is there. A processor waits for ten and more such reads at once, if
 * they stand close together and none needs another. So each step is taken for all questions of the batch before the
 * next one, and when they are answered, what they look at is in the cache. With a hundred thousand names that saves a
 * third of an answer, with a million more, and with few names it costs nothing.
 *
 * What was fetched in this way is a guess that nothing relies on; the zone that was found is good until the reader
 * leaves, as every ref.
 */
import { type TableReader, zoneHash } from '../table/index.ts'
import { ZoneQuestion } from './zone-question.ts'

/** The packets that wait to be answered. */
export interface WaitingPackets {
  /** Whole buffers. */
  readonly packets: readonly Uint8Array[]
  /** How much of the buffer in a slot is the packet. */
  octetsOf(slot: number): number
}

/** The maximum number of packets read ahead; the rest of a larger batch is read in turn. */
const LIMIT = 64

export class LookAhead {
  readonly #reader: TableReader
  readonly #asked: readonly ZoneQuestion[]
  readonly #hashes = new Int32Array(LIMIT)
  readonly #scratch = new Int32Array(LIMIT)
  /** A sum of what was read ahead. It has no meaning, but reads without a visible result would be optimised away. */
  touched = 0

  constructor(reader: TableReader) {
    this.#reader = reader
    this.#asked = Array.from({ length: LIMIT }, () => new ZoneQuestion(reader))
  }

  /** @returns how many packets were read, from slot 0 on */
  read(waiting: WaitingPackets, count: number): number {
    const asked = this.#asked
    const reading = Math.min(count, LIMIT)
    const { packets } = waiting
    let hashes = 0
    for (let slot = 0; slot < reading; slot++) {
      const one = asked[slot] as ZoneQuestion
      one.read(packets[slot] as Uint8Array, waiting.octetsOf(slot))
      if (one.zone === 0) continue
      this.#hashes[hashes++] = zoneHash(one.question.name.hashes[0] as number, one.zone)
    }
    this.touched ^= this.#reader.fetch(this.#hashes, hashes, this.#scratch)
    return reading
  }

  /** What the packet in a slot asks. */
  at(slot: number): ZoneQuestion {
    return this.#asked[slot] as ZoneQuestion
  }
}
