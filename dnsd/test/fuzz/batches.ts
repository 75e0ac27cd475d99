import { randomFrom } from '../support/random.ts'
import { nextPacket } from './packets.ts'

export interface PacketStream {
  readonly seed: number
  readonly packets: number
  readonly seeds: readonly Buffer[]
}

/** Seeds, then packets made from them, in batches of this size. Clients that share it get different packets. */
export function* batchesOf(
  { seed, packets, seeds }: PacketStream,
  batchPackets: number,
  isEnough: () => boolean,
): Generator<readonly Buffer[]> {
  const random = randomFrom(seed)
  for (let made = 0; made < packets; made += batchPackets) {
    if (isEnough()) return
    const packetAt = (index: number): Buffer => seeds[made + index] ?? nextPacket(random, seeds)
    yield Array.from({ length: batchPackets }, (_, index) => packetAt(index))
  }
}
