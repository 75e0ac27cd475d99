import { nameFromText } from '../names/index.ts'
import { RRSET_HEAD_BYTES } from './layout.ts'
import type { FoldedName } from './name-hash.ts'
import type { TableReader } from './table-reader.ts'
import type { ZoneNames } from './zone-names.ts'
import type { ZoneTable } from './zone-table.ts'

/** The name of a text, parsed for a table. */
export function folded(reader: TableReader, text: string): FoldedName {
  const name = reader.newName()
  name.read(nameFromText(text), 0)
  return name
}

/** An RRset of one record, in the form of an entry. */
export function rrset(type: number, rdata: Uint8Array): Uint8Array {
  const octets = Buffer.alloc(RRSET_HEAD_BYTES + 2 + rdata.length)
  octets.writeUInt16BE(type, 0)
  octets.writeUInt16BE(octets.length - 4, 2)
  octets.writeUInt16BE(rdata.length, RRSET_HEAD_BYTES)
  octets.set(rdata, RRSET_HEAD_BYTES + 2)
  return octets
}

/** Writes one name with these RRsets. */
export function put(
  table: ZoneTable,
  zone: ZoneNames,
  text: string,
  octets: Uint8Array = new Uint8Array(0),
  flags = 0,
): number {
  const rrsets = { octets, length: octets.length }
  return table.put(zone, folded(table.reader, text), 0, flags, rrsets)
}

/** The RDATA of the only record of a type at an entry; undefined if the entry has no such record. */
export function rdataAt(reader: TableReader, ref: number, type: number): Buffer | undefined {
  const at = reader.findRRset(ref, type)
  if (at === 0) return undefined
  const octets = Buffer.from(reader.octetsOf(ref))
  const length = octets.readUInt16BE(at + RRSET_HEAD_BYTES)
  return octets.subarray(at + RRSET_HEAD_BYTES + 2).subarray(0, length)
}
