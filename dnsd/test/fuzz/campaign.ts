/*
 * A campaign sends packets to a server and judges each response. A packet with a new kind of response is kept, and
 * later packets are made from it. This feedback guides the campaign: the kind of a response (the verdict of a strict
 * parser on the query, RCODE, flags, the size of each section) is cheap to determine, whereas counting executed blocks
 * of code makes every packet ten times as expensive. That is only done when seeds are collected (`coverage.ts`).
 */
import { randomFrom } from '../support/random.ts'
import { nextPacket } from './packets.ts'
import { shrink } from './shrink.ts'

/** A server that answers synchronously. */
export type Answerer = (packet: Buffer) => Buffer | undefined

/** The error in a response; `undefined` if it is valid. */
export type Judge = (packet: Buffer, answer: Buffer | undefined) => string | undefined

/** The server under test, and the judge of its responses. */
export interface Subject {
  readonly answer: Answerer
  readonly judge: Judge
}

export interface Campaign extends Subject {
  readonly seed: number
  readonly packets: number
  readonly seeds: readonly Buffer[]
}

export interface CampaignReport {
  readonly packets: number
  readonly answered: number
  /** The number of kinds of responses. */
  readonly kinds: number
  /** One line each: the error, the packet, and the shrunk packet. */
  readonly faults: readonly string[]
}

// Enough to show the bug. Each finding is shrunk, which takes some thousand packets.
const MOST_FAULTS = 5

/** Sends the seeds and then this many packets. Stops early after many findings. */
export function runCampaign({ seed, packets, seeds, answer, judge }: Campaign): CampaignReport {
  const random = randomFrom(seed)
  const known = [...seeds]
  const kinds = new Set<string>()
  const faults: string[] = []
  let sent = 0
  let answered = 0
  let reply: Buffer | undefined
  const faultFor = (packet: Buffer): string | undefined => {
    try {
      reply = answer(packet)
      return judge(packet, reply)
    } catch (error) {
      return `a fault inside: ${String(error)}`
    }
  }
  while (sent < packets && faults.length < MOST_FAULTS) {
    const packet = seeds[sent] ?? nextPacket(random, known)
    sent++
    const fault = faultFor(packet)
    if (fault !== undefined) {
      const shrunk = shrink(packet, (candidate) => faultFor(candidate) === fault)
      faults.push(described(fault, seed, packet, shrunk))
      continue
    }
    if (reply === undefined) continue
    answered++
    const kind = kindOf(reply)
    if (kinds.has(kind)) continue
    kinds.add(kind)
    known.push(packet)
  }
  return { packets: sent, answered, kinds: kinds.size, faults }
}

/** A finding as text for a developer. */
export function described(fault: string, seed: number, packet: Buffer, shrunk: Buffer): string {
  return `${fault} (seed ${seed}): ${packet.toString('hex')}, shrunk: ${shrunk.toString('hex')}`
}

// Flags and RCODE, the four counts, and the length in powers of two.
function kindOf(answer: Buffer): string {
  return answer.toString('latin1', 2, 12) + Math.clz32(answer.length)
}
