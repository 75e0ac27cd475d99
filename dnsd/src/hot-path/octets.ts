/* Numbers where they lie in an entry of the table, which holds what was checked when it was written. */

export function uint16At(octets: Uint8Array, at: number): number {
  return ((octets[at] as number) << 8) | (octets[at + 1] as number)
}

export function uint32At(octets: Uint8Array, at: number): number {
  return ((uint16At(octets, at) << 16) | uint16At(octets, at + 2)) >>> 0
}
