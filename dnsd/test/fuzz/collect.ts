/*
 * Collects seeds: packets that each execute a block of the daemon that no earlier packet executed. Batches that execute
 * a new block are halved until the packet is found.
 */
import { randomFrom } from '../support/random.ts'
import { Coverage } from './coverage.ts'
import { nextPacket } from './packets.ts'

const BATCH_PACKETS = 256
const MOST_SEED_BYTES = 300

/** @returns the seeds that still add a block, and the new ones */
export function collectSeeds(
  seed: number,
  packets: number,
  seeds: readonly Buffer[],
  answer: (packet: Buffer) => void,
): Buffer[] {
  const random = randomFrom(seed)
  const coverage = new Coverage()
  const kept: Buffer[] = []
  const newFor = (batch: readonly Buffer[], keep: boolean): number =>
    coverage.newSince(() => {
      for (const packet of batch) answer(packet)
    }, keep)
  const keepNew = (batch: readonly Buffer[]): void => {
    while (newFor(batch, false) > 0) {
      const found = [narrowed(batch, (part) => newFor(part, false) > 0)]
      if (newFor(found, true) > 0) kept.push(...found)
      // A block that only the whole batch executes cannot be attributed to one packet.
      else newFor(batch, true)
    }
  }
  for (const known of seeds) keepNew([known])
  for (let sent = 0; sent < packets; sent += BATCH_PACKETS) {
    const batch = Array.from({ length: BATCH_PACKETS }, () => nextPacket(random, kept))
    keepNew(batch.filter((packet) => packet.length <= MOST_SEED_BYTES))
  }
  coverage.close()
  return kept
}

function narrowed(batch: readonly Buffer[], isNew: (part: readonly Buffer[]) => boolean): Buffer {
  let part = batch
  while (part.length > 1) {
    const half = part.slice(0, part.length >> 1)
    part = isNew(half) ? half : part.slice(part.length >> 1)
  }
  return part[0] ?? Buffer.alloc(0)
}
