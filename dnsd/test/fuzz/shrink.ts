/**
 * Candidates for a shorter and plainer packet for which something still holds: pieces are taken out, from
 * halves down to single octets, and what is left is made zero where that changes nothing. Each yield is
 * answered by whether it holds; the result is the last one that did.
 */
function* candidatesFor(packet: Buffer): Generator<Buffer, Buffer, boolean> {
  let best = packet
  for (let piece = Math.ceil(packet.length / 2); piece >= 1; piece = piece === 1 ? 0 : piece >> 1) {
    for (let at = 0; at < best.length;) {
      const shorter = Buffer.concat([best.subarray(0, at), best.subarray(at + piece)])
      if (yield shorter) best = shorter
      else at += piece
    }
  }
  for (let at = 0; at < best.length; at++) {
    if (best[at] === 0) continue
    const plainer = Buffer.from(best)
    plainer[at] = 0
    if (yield plainer) best = plainer
  }
  return best
}

/** The shortest and plainest packet found for which `holds` is still true. */
export function shrink(packet: Buffer, holds: (packet: Buffer) => boolean): Buffer {
  const candidates = candidatesFor(packet)
  let next = candidates.next()
  while (next.done !== true) next = candidates.next(holds(next.value))
  return next.value
}

/** The same where it takes a while to find out. */
export async function shrinkSlowly(
  packet: Buffer,
  holds: (packet: Buffer) => Promise<boolean>,
): Promise<Buffer> {
  const candidates = candidatesFor(packet)
  let next = candidates.next()
  while (next.done !== true) next = candidates.next(await holds(next.value))
  return next.value
}
