/**
 * The shortest and plainest packet found for which something still holds: pieces are taken out, from
 * halves down to single octets, and what is left is made zero where that changes nothing.
 */
export function shrink(packet: Buffer, holds: (packet: Buffer) => boolean): Buffer {
  let best = packet
  const tryOne = (candidate: Buffer): boolean => {
    if (!holds(candidate)) return false
    best = candidate
    return true
  }
  for (let piece = Math.ceil(packet.length / 2); piece >= 1; piece = piece === 1 ? 0 : piece >> 1) {
    for (let at = 0; at < best.length;) {
      const shorter = Buffer.concat([best.subarray(0, at), best.subarray(at + piece)])
      if (!tryOne(shorter)) at += piece
    }
  }
  for (let at = 0; at < best.length; at++) {
    if (best[at] === 0) continue
    const plainer = Buffer.from(best)
    plainer[at] = 0
    tryOne(plainer)
  }
  return best
}
