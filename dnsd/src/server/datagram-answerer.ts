/*
 * Processes a datagram from any transport: first the hot path, then the full pipeline for what the hot path does
 * not answer, then the rate limit and the counting. A transport passes octets in and gets octets back.
 */
import {
  ANSWER_LIMIT_BYTES,
  type Foreseen,
  type HotPath,
  OUTCOME,
  type Outcome,
  outcomeOf,
  type WaitingPackets,
} from '../hot-path/index.ts'
import type { TableReader } from '../table/index.ts'
import { COOKIE_BYTES, RCODE } from '../wire/index.ts'
import { ClientAddress } from './client-address.ts'
import type { HotCookies } from './hot-cookies.ts'
import { badCookie } from './limited-answer.ts'
import type { Responder } from './responder.ts'
import type { CounterRow } from './shared-counters.ts'

/** The maximum size of an answer over UDP. */
export const DATAGRAM_ANSWER_BYTES = ANSWER_LIMIT_BYTES

/** The sender of a datagram, as its transport knows it. One object may be reused for all datagrams. */
export interface Sender {
  /** The address as the runtime formats it. */
  readonly address: string
  /** The address as numbers. */
  readTo(client: ClientAddress): void
}

/** Makes answers to datagrams. No method throws. */
export interface DatagramAnswerer {
  /**
   * Called before one packet or a batch.
   *
   * @param waiting the packets, of which the first `count` will be answered before `end`, so that they can be
   * looked up together
   */
  begin(waiting?: WaitingPackets, count?: number): void
  /** Called after the packet or batch. The thread then holds no references into the table. */
  end(): void
  /**
   * Answers one packet.
   *
   * @param packetBytes the length of the packet in `packet`
   * @param out with room for DATAGRAM_ANSWER_BYTES
   * @param slot of the packet, if `begin` was given it
   * @returns the length of the answer in `out`, in octets; 0 when no answer is sent
   */
  answer(
    packet: Uint8Array,
    packetBytes: number,
    sender: Sender,
    out: Uint8Array,
    slot?: number,
  ): number
}

/** Rate-limits answers; see `RateLimiter`. */
export interface HotLimiter {
  /** @returns how many octets of `answer`, which may have been rewritten, to send; 0 for none */
  limitClient(
    client: ClientAddress,
    answer: Uint8Array,
    bytes: number,
    inventedOctets: number,
  ): number
}

/** Counts each sent answer about a name of a zone, while table references are valid; see `QueryCounter`. */
export interface AnswerCounter {
  /** Prepares for names that will be counted next. */
  foresee(names: Foreseen): void
  /** Counts the name that the hot path found last. */
  count(client: ClientAddress, qtype: number, outcome: Outcome): void
}

export interface HotAnswererParts {
  readonly reader: TableReader
  readonly hot: HotPath
  /** Counts and limits its own answers. */
  readonly respond: Responder
  readonly counters: CounterRow
  /** Called for a fault of this server. The full pipeline then answers. */
  readonly failed: (error: unknown) => void
  /** Without them, the pipeline answers questions that have a cookie. */
  readonly cookies?: HotCookies | undefined
  readonly limiter?: HotLimiter | undefined
  readonly queries?: AnswerCounter | undefined
}

/** Answers from a table that another thread writes. */
export class HotAnswerer implements DatagramAnswerer {
  readonly #parts: HotAnswererParts
  readonly #client = new ClientAddress()

  constructor(parts: HotAnswererParts) {
    this.#parts = parts
    parts.hot.takesCookies = parts.cookies !== undefined
  }

  begin(waiting?: WaitingPackets, count = 0): void {
    const { reader, hot, failed, queries } = this.#parts
    reader.enter()
    if (waiting === undefined) return
    try {
      const foreseen = hot.foresee(waiting, count)
      queries?.foresee(foreseen)
    } catch (error) {
      failed(error)
    }
  }

  end(): void {
    const { reader, hot } = this.#parts
    hot.forget()
    reader.leave()
  }

  answer(
    packet: Uint8Array,
    packetBytes: number,
    sender: Sender,
    out: Uint8Array,
    slot?: number,
  ): number {
    const { hot, failed } = this.#parts
    try {
      const bytes = hot.answer(packet, packetBytes, out, slot)
      if (bytes > 0) {
        return hot.question.cookieBytes === 0
          ? this.#sent(bytes, sender, out)
          : this.#sentWithCookie(packet, bytes, sender, out)
      }
    } catch (error) {
      failed(error)
    }
    try {
      return this.#answerInFull(packet, packetBytes, sender, out)
    } catch (error) {
      failed(error)
      return 0
    }
  }

  #sent(bytes: number, sender: Sender, out: Uint8Array): number {
    const { hot, counters, limiter, queries } = this.#parts
    const client = this.#client
    sender.readTo(client)
    const sent =
      limiter === undefined ? bytes : limiter.limitClient(client, out, bytes, hot.inventedOctets)
    if (sent === 0) return 0
    counters.answeredHot(hot.question.qtype, hot.rcode, sent, sent !== bytes)
    if (queries !== undefined) queries.count(client, hot.question.qtype, hot.outcome)
    return sent
  }

  #sentWithCookie(packet: Uint8Array, bytes: number, sender: Sender, out: Uint8Array): number {
    const { hot, counters, cookies, limiter, queries } = this.#parts
    const { question } = hot
    const client = this.#client
    sender.readTo(client)
    const isKnown = cookies?.write(packet, question, client, out, bytes - COOKIE_BYTES) === true
    // RFC 7873 §5.2.3: a client with a valid cookie is not rate-limited.
    const sent =
      limiter === undefined || isKnown
        ? bytes
        : limiter.limitClient(client, out, bytes, hot.inventedOctets)
    if (sent === 0) return 0
    counters.cookie(isKnown ? 'valid' : 'client')
    if (sent === bytes) counters.answeredHot(question.qtype, hot.rcode, sent, false)
    else {
      badCookie(out, sent - question.optBytes)
      counters.answeredHot(question.qtype, RCODE.BADCOOKIE, sent, false)
    }
    if (queries !== undefined) {
      queries.count(client, question.qtype, sent === bytes ? hot.outcome : OUTCOME.OTHER)
    }
    return sent
  }

  #answerInFull(packet: Uint8Array, packetBytes: number, sender: Sender, out: Uint8Array): number {
    const { hot, respond, queries } = this.#parts
    const whole = packet.length === packetBytes ? packet : packet.subarray(0, packetBytes)
    const reply = respond(whole, 'udp', sender.address)
    const sent = copyInto(out, reply)
    if (queries !== undefined && reply !== undefined && hot.locate(packet, packetBytes)) {
      sender.readTo(this.#client)
      queries.count(this.#client, hot.question.qtype, outcomeOf(reply))
    }
    return sent
  }
}

/** Answers with the full pipeline only, which reads zones on its own thread. */
export function answererOf(respond: Responder): DatagramAnswerer {
  return {
    begin: () => undefined,
    end: () => undefined,
    answer: (packet, packetBytes, { address }, out) =>
      copyInto(out, respond(packet.subarray(0, packetBytes), 'udp', address)),
  }
}

function copyInto(out: Uint8Array, reply: Uint8Array | undefined): number {
  if (reply === undefined) return 0
  out.set(reply)
  return reply.length
}
