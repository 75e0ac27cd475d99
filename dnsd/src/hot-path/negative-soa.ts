/*
 * The compiled SOA record of NODATA and NXDOMAIN: its octets as they follow a question, and the
 * positions of the compression pointers in them.
 *
 * The full message writer writes it once for each version of a zone, for a question with the zone's
 * apex. Each pointer leads either to a part of the apex or to a label in the record itself. Both have
 * the same distance from the end of the name in every other question of the zone. So an answer copies
 * the octets and adds the end of its own question to each pointer.
 *
 * This is not valid for a question that shares more labels with MNAME or RNAME than the apex, such as
 * `a.ns1.<apex>` where MNAME is `ns1.<apex>`: there the names could be compressed further. `suits`
 * checks this.
 */
import { canonicalName, TYPE } from '../names/index.ts'
import { type FoldedName, RRSET_HEAD_BYTES, type TableReader } from '../table/index.ts'
import { MessageWriter } from '../wire/index.ts'
import { uint16At, uint32At } from '../names/octets.ts'
import { HEADER_BYTES } from './question.ts'

const POINTER_BITS = 0xc000
const NO_HEADER = new Uint8Array(HEADER_BYTES)
// The type, class, TTL and length of a record, between its owner and its RDATA.
const FIXED_BYTES = 10
// The serial and four times after RNAME. MINIMUM is the last.
const NUMBERS_BYTES = 20

/** The compiled record of one version. */
export class NegativeSoa {
  /** The record. `point` must set its pointers. */
  readonly octets: Uint8Array
  /**
   * Pairs: the offset of a pointer in `octets`, and its target relative to the end of the question's name.
   */
  readonly #pointers: Int16Array
  /** The labels of MNAME and RNAME next to the apex, folded, each with its length octet. */
  readonly #labels: readonly Uint8Array[]

  /**
   * @param apex in wire form, not the root
   * @param rdata the uncompressed RDATA of the zone's SOA record
   * @param ttlSeconds the TTL of negative answers (RFC 2308 §5)
   */
  constructor(apex: Uint8Array, rdata: Uint8Array, ttlSeconds: number) {
    const question = Buffer.concat([apex, Buffer.from([0, TYPE.SOA, 0, 1])])
    const writer = new MessageWriter(question, apex, Number.MAX_SAFE_INTEGER)
    writer.add({ owner: apex, rrset: { type: TYPE.SOA, ttlSeconds, rdata: [rdata] } })
    const start = HEADER_BYTES + question.length
    this.octets = Uint8Array.from(writer.finish(NO_HEADER).subarray(start))
    this.#pointers = findPointers(this.octets, HEADER_BYTES + apex.length)
    this.#labels = labelsNextTo(apex, rdata)
  }

  /**
   * Whether the record can be used for a question.
   *
   * @param apexSuffix the suffix of the question's name that is the apex
   */
  suits(name: FoldedName, apexSuffix: number): boolean {
    if (apexSuffix === 0) return true
    const at = name.starts[apexSuffix - 1] as number
    for (const label of this.#labels) {
      let same = 0
      while (same < label.length && name.octets[at + same] === label[same]) same++
      if (same === label.length) return false
    }
    return true
  }

  /** Sets the pointers of a copy that follows the question whose name ends at `nameEnd`. */
  point(out: Uint8Array, nameEnd: number): void {
    const pointers = this.#pointers
    for (let each = 0; each < pointers.length; each += 2) {
      const at = nameEnd + 4 + (pointers[each] as number)
      const pointer = POINTER_BITS | (nameEnd + (pointers[each + 1] as number))
      out[at] = pointer >> 8
      out[at + 1] = pointer & 0xff
    }
  }
}

/** Finds the pointers at the ends of owner, MNAME and RNAME. A name that ends in the root has none. */
function findPointers(record: Uint8Array, nameEnd: number): Int16Array {
  const pointers: number[] = []
  const stepOver = (start: number): number => {
    let at = start
    for (;;) {
      const length = record[at] as number
      if (length === 0) return at + 1
      if (length > 63) {
        pointers.push(at, (uint16At(record, at) & ~POINTER_BITS) - nameEnd)
        return at + 2
      }
      at += 1 + length
    }
  }
  const mname = stepOver(0) + FIXED_BYTES
  stepOver(stepOver(mname))
  return Int16Array.from(pointers)
}

function labelsNextTo(apex: Uint8Array, rdata: Uint8Array): Uint8Array[] {
  const labels: Uint8Array[] = []
  const folded = canonicalName(rdata)
  let at = 0
  for (let names = 0; names < 2; names++) {
    const starts: number[] = []
    for (; (folded[at] as number) > 0; at += 1 + (folded[at] as number)) starts.push(at)
    at += 1
    const above = starts.findIndex((start) => at - start === apex.length)
    const isBelow =
      above > 0 && Buffer.compare(canonicalName(apex), folded.subarray(starts[above], at)) === 0
    if (isBelow) labels.push(folded.subarray(starts[above - 1], starts[above]))
  }
  return labels
}

// Zones whose numbers differ by a multiple of this share a slot and replace each other in it.
const PLACES = 512

interface Place {
  readonly zone: number
  readonly ref: number
  readonly serial: number
  readonly soa: NegativeSoa
}

/** A cache of compiled records for recently queried zones. */
export class NegativeSoas {
  readonly #reader: TableReader
  readonly #places: (Place | undefined)[] = Array.from({ length: PLACES })

  constructor(reader: TableReader) {
    this.#reader = reader
  }

  /**
   * The record of a zone's version.
   *
   * @param apex the zone's apex entry; its serial is compared too, because a new entry may have the address
   * of an older one
   * @param apexSuffix the suffix of `name` that is the zone's apex
   * @returns undefined for an apex without a SOA
   */
  of(zone: number, apex: number, name: FoldedName, apexSuffix: number): NegativeSoa | undefined {
    const at = this.#reader.findRRset(apex, TYPE.SOA)
    if (at === 0) return undefined
    const octets = this.#reader.octetsOf(apex)
    const rdataAt = at + RRSET_HEAD_BYTES + 2
    const rdataEnd = rdataAt + uint16At(octets, rdataAt - 2)
    const serial = uint32At(octets, rdataEnd - NUMBERS_BYTES)
    const place = this.#places[zone & (PLACES - 1)]
    if (place?.zone === zone && place.ref === apex && place.serial === serial) return place.soa
    const apexName = name.octets.slice(name.starts[apexSuffix], name.length)
    // RFC 2308 §5: the smaller of the SOA's own TTL and MINIMUM.
    const ttlSeconds = Math.min(uint32At(octets, at + 4), uint32At(octets, rdataEnd - 4))
    const soa = new NegativeSoa(apexName, octets.slice(rdataAt, rdataEnd), ttlSeconds)
    this.#places[zone & (PLACES - 1)] = { zone, ref: apex, serial, soa }
    return soa
  }
}
