import { NAME_AT, NAME_LENGTH_AT, octetOf, type TableReader } from '../table/index.ts'

// A name has at most 127 labels. The array is reused, because sorting a zone compares millions of names.
const oneStarts = new Uint8Array(128)
const otherStarts = new Uint8Array(128)

/**
 * The canonical order of the owner names of two entries of one zone (RFC 4034 §6.1): by labels from the right.
 * Negative, zero or positive, as `sort` expects.
 */
export function compareOwners(table: TableReader, one: number, other: number): number {
  const [a, b] = [table.octetsOf(one), table.octetsOf(other)]
  const [aAt, bAt] = [octetOf(one) + NAME_AT, octetOf(other) + NAME_AT]
  let aLabels = findLabels(a, octetOf(one) + NAME_LENGTH_AT, oneStarts)
  let bLabels = findLabels(b, octetOf(other) + NAME_LENGTH_AT, otherStarts)
  while (aLabels > 0 && bLabels > 0) {
    aLabels -= 1
    bLabels -= 1
    const aLabel = aAt + (oneStarts[aLabels] as number)
    const bLabel = bAt + (otherStarts[bLabels] as number)
    const order = compareLabels(a, aLabel, b, bLabel)
    if (order !== 0) return order
  }
  return aLabels - bLabels
}

function findLabels(octets: Uint8Array, lengthAt: number, starts: Uint8Array): number {
  const length = octets[lengthAt] as number
  let labels = 0
  for (let at = 0; at < length; at += 1 + (octets[lengthAt + 1 + at] as number)) {
    starts[labels] = at
    labels += 1
  }
  return labels
}

// Left-justified unsigned octets, and a missing octet sorts first. Owner names are in lower case already.
function compareLabels(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): number {
  const aLength = a[aAt] as number
  const bLength = b[bAt] as number
  const shared = Math.min(aLength, bLength)
  for (let at = 1; at <= shared; at++) {
    const difference = (a[aAt + at] as number) - (b[bAt + at] as number)
    if (difference !== 0) return difference
  }
  return aLength - bLength
}
