/*
 * Reads numbers in network byte order. These functions never throw: octets past the end count as zero, because
 * bit operators convert undefined to zero. So callers that check the length pay nothing for a second check.
 */

/** The 16-bit number at `at`. */
export function uint16At(octets: Uint8Array, at: number): number {
  return ((octets[at] as number) << 8) | (octets[at + 1] as number)
}

/** The 32-bit number at `at`. */
export function uint32At(octets: Uint8Array, at: number): number {
  return ((uint16At(octets, at) << 16) | uint16At(octets, at + 2)) >>> 0
}
