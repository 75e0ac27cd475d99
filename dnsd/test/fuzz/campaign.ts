/*
 * A campaign: packets go to something that answers, each answer is judged, and a packet whose answer is
 * of a kind that was not seen before becomes one that others are made from. That is what guides it: the
 * kind of an answer (what a strict reader says of the question, RCODE, flags, how much is in each
 * section) costs nothing to look at, where counting the blocks of code that were run makes every
 * packet ten times as dear. That is done when seeds are collected (`coverage.ts`).
 */
import { randomFrom } from '../support/random.ts'
import { nextPacket } from './packets.ts'
import { shrink } from './shrink.ts'

/** Something that answers at once. */
export type Answerer = (packet: Buffer) => Buffer | undefined

/** What is wrong with an answer; `undefined` for nothing. */
export type Judge = (packet: Buffer, answer: Buffer | undefined) => string | undefined

/** What is fuzzed, and what is expected of it. */
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
  /** Kinds of answers that were seen. */
  readonly kinds: number
  /** One a line: what is wrong, the packet, and the shrunk packet. */
  readonly faults: readonly string[]
}

// Enough to see what is wrong; each is shrunk, which takes some thousand packets.
const MOST_FAULTS = 5

/** Sends the seeds and then as many packets as it takes. Stops early when much is wrong. */
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

/** What is wrong, for people who are to find out why. */
export function described(fault: string, seed: number, packet: Buffer, shrunk: Buffer): string {
  return `${fault} (seed ${seed}): ${packet.toString('hex')}, shrunk: ${shrunk.toString('hex')}`
}

// Flags and RCODE, the four counts, and the length in steps that double.
function kindOf(answer: Buffer): string {
  return answer.toString('latin1', 2, 12) + Math.clz32(answer.length)
}
