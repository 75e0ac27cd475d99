/* RRsets in the form that table entries hold; see the layout there. */
import { uint16At } from '../names/octets.ts'
import { RRSET_HEAD_BYTES, type TableReader } from '../table/index.ts'
import { recordsBytes, type RRset } from './rrset.ts'

const FIRST_ROOM_BYTES = 4096

/** Collects the RRsets of one name as octets. Reusable after `clear`. */
export class RRsetOctets {
  /** The first `length` octets are in use. */
  octets = Buffer.allocUnsafe(FIRST_ROOM_BYTES)
  length = 0

  clear(): void {
    this.length = 0
  }

  /** Replaces the collected RRsets by these. */
  collect(rrsets: readonly RRset[]): void {
    this.clear()
    for (const rrset of rrsets) this.#add(rrset)
  }

  /** @param rrset whose records fit (`checkOwnerState`) */
  #add({ type, ttlSeconds, rdata }: RRset): void {
    const recordBytes = recordsBytes(rdata)
    this.#makeRoom(RRSET_HEAD_BYTES + recordBytes)
    const { octets } = this
    let at = octets.writeUInt16BE(type, this.length)
    at = octets.writeUInt16BE(4 + recordBytes, at)
    at = octets.writeUInt32BE(ttlSeconds, at)
    for (const one of rdata) {
      at = octets.writeUInt16BE(one.length, at)
      octets.set(one, at)
      at += one.length
    }
    this.length = at
  }

  /** An RRset of one record. */
  addOne(type: number, ttlSeconds: number, rdata: Uint8Array): void {
    this.#makeRoom(RRSET_HEAD_BYTES + 2 + rdata.length)
    const { octets } = this
    let at = octets.writeUInt16BE(type, this.length)
    at = octets.writeUInt16BE(4 + 2 + rdata.length, at)
    at = octets.writeUInt32BE(ttlSeconds, at)
    at = octets.writeUInt16BE(rdata.length, at)
    octets.set(rdata, at)
    this.length = at + rdata.length
  }

  /** The RRsets of an entry. */
  addAll(reader: TableReader, ref: number): void {
    const start = reader.rrsetsAt(ref)
    const end = endOfRRsets(reader, ref)
    this.#makeRoom(end - start)
    this.octets.set(reader.octetsOf(ref).subarray(start, end), this.length)
    this.length += end - start
  }

  #makeRoom(bytes: number): void {
    if (this.length + bytes <= this.octets.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.length + bytes, this.octets.length * 2))
    larger.set(this.octets.subarray(0, this.length))
    this.octets = larger
  }
}

/** A copy of the RRset at an offset in an entry. */
export function readRRset(reader: TableReader, ref: number, at: number): RRset {
  const octets = reader.octetsOf(ref)
  const end = at + 4 + uint16At(octets, at + 2)
  const copy = Buffer.from(octets.subarray(at, end))
  const rdata: Buffer[] = []
  for (let from = RRSET_HEAD_BYTES; from < copy.length;) {
    const to = from + 2 + copy.readUInt16BE(from)
    rdata.push(copy.subarray(from + 2, to))
    from = to
  }
  return { type: copy.readUInt16BE(0), ttlSeconds: copy.readUInt32BE(4), rdata }
}

/** Copies of all RRsets of an entry. */
export function readRRsets(reader: TableReader, ref: number): RRset[] {
  const octets = reader.octetsOf(ref)
  const last = reader.endOf(ref) - RRSET_HEAD_BYTES
  const rrsets: RRset[] = []
  for (let at = reader.rrsetsAt(ref); at <= last && uint16At(octets, at) !== 0;) {
    rrsets.push(readRRset(reader, ref, at))
    at += 4 + uint16At(octets, at + 2)
  }
  return rrsets
}

function endOfRRsets(reader: TableReader, ref: number): number {
  const octets = reader.octetsOf(ref)
  const last = reader.endOf(ref) - RRSET_HEAD_BYTES
  let at = reader.rrsetsAt(ref)
  while (at <= last && uint16At(octets, at) !== 0) at += 4 + uint16At(octets, at + 2)
  return at
}
