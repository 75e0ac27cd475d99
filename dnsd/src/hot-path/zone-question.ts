import type { TableReader } from '../table/index.ts'
import { PlainQuestion } from './question.ts'

/** The question of a packet, and its zone. The object is reused for each packet. */
export class ZoneQuestion {
  readonly question: PlainQuestion
  /** Whether `PlainQuestion.read` accepted the packet. */
  isPlain = false
  /** The number of the zone, 0 without one. */
  zone = 0
  /** The zone's apex is this suffix of the name. */
  apexLabel = 0
  readonly #reader: TableReader

  constructor(reader: TableReader) {
    this.question = new PlainQuestion(reader.newName())
    this.#reader = reader
  }

  read(packet: Uint8Array, packetBytes: number): void {
    this.isPlain = this.question.read(packet, packetBytes)
    this.zone = 0
    if (this.isPlain) this.#findZone()
  }

  /** Reads only the name and its zone, from a packet with any kind of question. */
  readName(packet: Uint8Array, packetBytes: number): void {
    this.isPlain = false
    this.zone = 0
    if (this.question.readName(packet, packetBytes)) this.#findZone()
  }

  #findZone(): void {
    const reader = this.#reader
    const { name } = this.question
    const zone = reader.findZone(name)
    this.apexLabel = reader.apexLabel
    // The root is not written as a pointer when it is the owner.
    if (this.apexLabel !== name.labels) this.zone = zone
  }
}
