/**
 * Yields candidates for a shorter and simpler packet with the same property: pieces are removed, from halves down to
 * single octets, and the rest is set to zero if possible. The caller answers each yield with whether the property
 * holds. The result is the last candidate for which it did.
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

/** The shortest and simplest packet found for which `holds` is still true. */
export function shrink(packet: Buffer, holds: (packet: Buffer) => boolean): Buffer {
  const candidates = candidatesFor(packet)
  let next = candidates.next()
  while (next.done !== true) next = candidates.next(holds(next.value))
  return next.value
}

/** The same for an asynchronous check. */
export async function shrinkSlowly(
  packet: Buffer,
  holds: (packet: Buffer) => Promise<boolean>,
): Promise<Buffer> {
  const candidates = candidatesFor(packet)
  let next = candidates.next()
  while (next.done !== true) next = candidates.next(await holds(next.value))
  return next.value
}
