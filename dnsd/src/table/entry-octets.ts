/*
 * Entries as standalone octets, as a file holds them, without the fields that depend on their place in a
 * table.
 */
import { uint16At } from '../names/octets.ts'
import {
  ALIAS,
  CHILDREN,
  DELEGATES,
  NAME_AT,
  NAME_LENGTH_AT,
  NEXT,
  octetOf,
  PREV,
  PUBLISHED,
  REDIRECTS,
  RRSET_HEAD_BYTES,
  SIZE,
  SIZE_MASK,
  UNIT_BYTES,
  ZONE,
} from './layout.ts'
import type { TableReader } from './table-reader.ts'

// The flags that describe the entry itself; the other flags describe names around it.
const OWN = PUBLISHED | DELEGATES | REDIRECTS | ALIAS
const LABEL_LIMIT = 63

/**
 * Copies an entry.
 *
 * @param at the offset in `into`, which must have room for it (`unitsOf`)
 * @returns where the copy ends
 */
export function copyEntry(reader: TableReader, ref: number, into: Buffer, at: number): number {
  const start = octetOf(ref)
  const end = reader.endOf(ref)
  into.set(reader.octetsOf(ref).subarray(start, end), at)
  into.writeUInt32LE(reader.unitsOf(ref) | (reader.flagsOf(ref) & OWN), at + SIZE * 4)
  for (const word of [NEXT, PREV, ZONE, CHILDREN]) into.writeUInt32LE(0, at + word * 4)
  return at + end - start
}

/**
 * Whether these octets are whole entries of names below an apex, as `copyEntry` makes them, so that
 * reading them in the table stays within their bounds.
 *
 * @param apexBytes of the apex's wire form
 */
export function areEntries(octets: Buffer, apexBytes: number): boolean {
  let at = 0
  while (at < octets.length) {
    if (at + NAME_AT > octets.length) return false
    const word = octets.readUInt32LE(at + SIZE * 4)
    const end = at + (word & SIZE_MASK) * UNIT_BYTES
    if (end > octets.length || (word & ~SIZE_MASK & ~OWN) !== 0) return false
    const rrsets = nameEnd(octets, at + NAME_LENGTH_AT, end, apexBytes)
    if (rrsets === 0 || !areRRsets(octets, rrsets, end)) return false
    at = end
  }
  return true
}

// Where the name whose length octet is at `at` ends; 0 when it is invalid.
function nameEnd(octets: Buffer, at: number, limit: number, apexBytes: number): number {
  const length = octets[at] as number
  const end = at + 1 + length
  if (length === 0 || end > limit || length + apexBytes > 255) return 0
  let label = at + 1
  while (label < end) {
    const labelLength = octets[label] as number
    if (labelLength === 0 || labelLength > LABEL_LIMIT) return 0
    label += 1 + labelLength
  }
  return label === end ? end : 0
}

function areRRsets(octets: Buffer, from: number, end: number): boolean {
  let at = from
  while (at + RRSET_HEAD_BYTES <= end && uint16At(octets, at) !== 0) {
    const next = at + 4 + uint16At(octets, at + 2)
    if (next > end) return false
    let record = at + RRSET_HEAD_BYTES
    while (record < next) record += 2 + uint16At(octets, record)
    if (record !== next) return false
    at = next
  }
  return true
}
