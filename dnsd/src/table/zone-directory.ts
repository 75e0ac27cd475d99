/* The directory: an entry for each served zone, with the whole apex as its name and the zone's number. */
import type { EntryRRsets } from './entry-memory.ts'
import { NAME_LENGTH_AT, octetOf, RRSET_HEAD_BYTES, ZONE_NUMBER_TYPE } from './layout.ts'
import type { TableReader } from './table-reader.ts'
import type { ZoneNames } from './zone-names.ts'

const NUMBER_BYTES = 4
const RECORD_BYTES = 2 + NUMBER_BYTES

/** The one RRset of a directory entry. `TableReader.zoneNumberIn` reads its one record. */
export function zoneNumberRRset(zoneNumber: number): EntryRRsets {
  const octets = new Uint8Array(RRSET_HEAD_BYTES + RECORD_BYTES)
  const view = new DataView(octets.buffer)
  view.setUint16(0, ZONE_NUMBER_TYPE)
  view.setUint16(2, 4 + RECORD_BYTES)
  view.setUint16(RRSET_HEAD_BYTES, NUMBER_BYTES)
  view.setUint32(RRSET_HEAD_BYTES + 2, zoneNumber)
  return { octets, length: octets.length }
}

/** The length of the longest apex in the directory, with its root; 0 when it is empty. */
export function longestApex(directory: ZoneNames, reader: TableReader): number {
  let longest = 0
  for (let at = directory.first; at !== 0; at = directory.after(at)) {
    const length = reader.octetsOf(at)[octetOf(at) + NAME_LENGTH_AT] as number
    longest = Math.max(longest, length + 1)
  }
  return longest
}
