/*
 * Numbers where they lie in octets, the most significant octet first. Nothing here throws: octets past the end
 * count as zero, which is what bit operators make of undefined, so that costs nothing where octets are checked.
 */

/** The 16-bit number at `at`. */
export function uint16At(octets: Uint8Array, at: number): number {
  return ((octets[at] as number) << 8) | (octets[at + 1] as number)
}

/** The 32-bit number at `at`. */
export function uint32At(octets: Uint8Array, at: number): number {
  return ((uint16At(octets, at) << 16) | uint16At(octets, at + 2)) >>> 0
}
