import { NAME_AT, NAME_LENGTH_AT, octetOf, type TableReader } from '../table/index.ts'
import type { OwnerState } from './rrset.ts'
import { readRRsets } from './rrset-octets.ts'

/** A copy of the owner name of an entry, in wire form with the root octet. */
function ownerAt(reader: TableReader, ref: number, apex: Uint8Array): Buffer {
  const octets = reader.octetsOf(ref)
  const at = octetOf(ref)
  const length = octets[at + NAME_LENGTH_AT] ?? 0
  const owner = Buffer.allocUnsafe(length + apex.length)
  owner.set(octets.subarray(at + NAME_AT, at + NAME_AT + length))
  owner.set(apex, length)
  return owner
}

/** A copy of the state in an entry. */
export function stateAt(reader: TableReader, ref: number, apex: Uint8Array): OwnerState {
  return { owner: ownerAt(reader, ref, apex), rrsets: readRRsets(reader, ref) }
}
