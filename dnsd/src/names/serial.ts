/*
 * Zone versions. The serial of the change feed is a bigint that never wraps and never decreases; the SOA record has its
 * lowest 32 bits, which secondaries compare by the arithmetic of RFC 1982.
 */

const SOA_SERIAL_BITS = 32
const HALF_OF_SERIALS = 2 ** 31

/**
 * Whether SOA serial `a` is newer than `b` (RFC 1982 §3.2). False for equal serials, and in both directions for serials
 * that are exactly 2³¹ apart, which the RFC leaves undefined.
 */
export function serialGreater(a: number, b: number): boolean {
  const ahead = (a - b) >>> 0
  return ahead > 0 && ahead < HALF_OF_SERIALS
}

/** The SOA serial of a feed serial: its value mod 2³². `nextSerial` never returns a feed serial whose SOA serial is 0. */
export function soaSerial(serial: bigint): number {
  return Number(BigInt.asUintN(SOA_SERIAL_BITS, serial))
}

/** The feed serial after this one. It skips SOA serial 0, which some secondaries interpret as "no serial". */
export function nextSerial(serial: bigint): bigint {
  const next = serial + 1n
  return soaSerial(next) === 0 ? next + 1n : next
}
