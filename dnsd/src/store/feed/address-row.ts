/*
 * The fast path for the most frequent rows: a host name with one address. It converts the octets of COPY to
 * those of the zone, without text in between. All other rows, and rows that might be refused, go through the
 * general path, which reports what is wrong. Both paths produce the same zone.
 */
import { ipv6FromText, TTL_LIMIT_SECONDS, TYPE } from '../../names/index.ts'
import type { Zone } from '../../zone/index.ts'

const DOT = 0x2e
const ZERO = 0x30
/**
 * The fields before the text of the only element: dimensions, nulls, type, number of elements, lower bound,
 * length.
 */
const ARRAY_HEAD_BYTES = 24

// Letters, digits, hyphen, underscore and asterisk: ASCII characters that text does not escape.
const PLAIN = Uint8Array.from({ length: 256 }, (_, octet) =>
  /[a-z0-9_*-]/i.test(String.fromCharCode(octet)) ? 1 : 0,
)

const owner = Buffer.alloc(256)
const ipv4 = Buffer.alloc(4)

/**
 * Adds the row that begins at `start` to a zone that is being built.
 *
 * @param row a complete row of `owner, type, ttl, rdata`
 * @returns whether the row was added; otherwise the general path must add it
 */
export function addAddressRow(zone: Zone, row: Buffer, start: number): boolean {
  const ownerAt = start + 6
  const ownerLength = row.readInt32BE(start + 2)
  const typeAt = ownerAt + ownerLength + 4
  const typeLength = row.readInt32BE(typeAt - 4)
  const type = addressType(row, typeAt, typeLength)
  if (type === 0 || !readOwner(row, ownerAt, ownerLength)) return false
  const ttlAt = typeAt + typeLength + 4
  const ttlSeconds = row.readInt32BE(ttlAt - 4) === 4 ? row.readInt32BE(ttlAt) : -1
  if (ttlSeconds < 0 || ttlSeconds > TTL_LIMIT_SECONDS) return false
  const rdata = readAddress(row, ttlAt + 8, row.readInt32BE(ttlAt + 4), type)
  return rdata !== undefined && zone.addAddress(owner, type, ttlSeconds, rdata)
}

function addressType(row: Buffer, at: number, length: number): number {
  for (let index = 0; index < length; index++) if (row[at + index] !== 0x41) return 0
  if (length === 1) return TYPE.A
  return length === 4 ? TYPE.AAAA : 0
}

/** Converts a name without its final dot into `owner`. */
function readOwner(row: Buffer, at: number, length: number): boolean {
  // One more octet before the name, and the root after it.
  if (length < 1 || length > 253) return false
  let lengthAt = 0
  for (let index = 0; index < length; index++) {
    const octet = row[at + index] as number
    if (octet === DOT) {
      const label = index - lengthAt
      if (label === 0 || label > 63) return false
      owner[lengthAt] = label
      lengthAt = index + 1
    } else {
      if (PLAIN[octet] === 0) return false
      owner[index + 1] = octet
    }
  }
  const label = length - lengthAt
  if (label === 0 || label > 63) return false
  owner[lengthAt] = label
  owner[length + 1] = 0
  return true
}

/** @param length the length of the field; -1 for null */
function readAddress(row: Buffer, at: number, length: number, type: number): Buffer | undefined {
  const isOne =
    length > ARRAY_HEAD_BYTES && row.readInt32BE(at) === 1 && row.readInt32BE(at + 12) === 1
  if (!isOne) return undefined
  const textAt = at + ARRAY_HEAD_BYTES
  const textLength = row.readInt32BE(textAt - 4)
  if (textLength < 0) return undefined
  if (type === TYPE.A) return readIpv4(row, textAt, textLength) ? ipv4 : undefined
  try {
    return ipv6FromText(row.toString('latin1', textAt, textAt + textLength))
  } catch {
    return undefined
  }
}

/** Converts four numbers without leading zeros into `ipv4`. */
function readIpv4(row: Buffer, at: number, length: number): boolean {
  const end = at + length
  let from = at
  for (let index = 0; index < 4; index++) {
    let value = 0
    let digits = 0
    for (; from < end && digits < 4; digits++, from++) {
      const digit = (row[from] as number) - ZERO
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    if (digits === 0 || value > 255 || (digits > 1 && row[from - digits] === ZERO)) return false
    ipv4[index] = value
    if (index === 3) break
    if (from >= end || row[from] !== DOT) return false
    from += 1
  }
  return from === end
}
