import { answer } from '../answer/index.ts'
import {
  bareReply,
  limitBytes,
  readRequest,
  writeMessage,
  type AnswerOptions,
  type Message,
  type Reply,
  type Request,
} from '../wire/index.ts'
import type { ServedZones } from '../zone/index.ts'
import { Chaos, CLASS_CH, type ServerIdentity } from './chaos.ts'
import { ClientCookies, type CookieExchange } from './client-cookies.ts'
import type { ServerEvents, Transport } from './events.ts'
import { asksForCookie, screen } from './screen.ts'

/**
 * Makes the answer to a packet, or returns undefined when no answer may be sent. Never throws.
 *
 * @param client its address as the runtime formats it
 */
export type Responder = (
  packet: Uint8Array,
  transport: Transport,
  client?: string,
) => Buffer | undefined

/** Rate-limits answers over UDP (`RateLimiter`). */
export interface AnswerLimiter {
  /**
   * @param inventedOctets how many leading octets of the QNAME a wildcard matched
   * @returns how many octets of `answer`, which may have been rewritten, to send; 0 for none
   */
  limit(client: string, answer: Uint8Array, bytes: number, inventedOctets: number): number
}

export interface ResponderOptions extends ServerIdentity {
  /** 16 octets each: the first signs cookies, all are accepted (RFC 9018 §5). None: no cookies. */
  readonly cookieSecrets?: readonly Uint8Array[]
  /** The TCP idle timeout, for clients that ask for it (RFC 7828). */
  readonly tcpIdleMs?: (() => number) | undefined
  readonly limiter?: AnswerLimiter | undefined
  /** Seconds since 1970, for cookies. */
  readonly nowSeconds?: () => number
}

interface ReceivedQuery {
  readonly request: Request
  readonly transport: Transport
  readonly client: string | undefined
  readonly cookies: CookieExchange
}

interface Written {
  readonly message: Message
  readonly rcode: Reply['rcode']
  readonly inventedOctets: number
}

/** Makes the pipeline for a packet: parse it, screen it, answer from the zones, write the answer. */
export function createResponder(
  zones: ServedZones,
  events: ServerEvents,
  options: ResponderOptions = {},
): Responder {
  const answerer = new Answerer(zones, events, options)
  return (packet, transport, client) => {
    try {
      return answerer.answer(packet, transport, client)
    } catch (error) {
      events.failed(error)
      return undefined
    }
  }
}

class Answerer {
  readonly #zones: ServedZones
  readonly #events: ServerEvents
  readonly #limiter: AnswerLimiter | undefined
  readonly #tcpIdleMs: (() => number) | undefined
  readonly #chaos: Chaos
  readonly #cookies: ClientCookies
  readonly #nsid: Uint8Array | undefined

  constructor(zones: ServedZones, events: ServerEvents, options: ResponderOptions) {
    const { cookieSecrets = [], identity, limiter, nowSeconds = secondsNow, tcpIdleMs } = options
    this.#zones = zones
    this.#events = events
    this.#limiter = limiter
    this.#tcpIdleMs = tcpIdleMs
    this.#chaos = new Chaos(options)
    this.#cookies = new ClientCookies(cookieSecrets, nowSeconds)
    this.#nsid = identity === undefined ? undefined : Buffer.from(identity)
  }

  answer(packet: Uint8Array, transport: Transport, client: string | undefined): Buffer | undefined {
    const request = readRequest(packet)
    if (request === undefined) {
      this.#events.dropped(transport)
      return undefined
    }
    const cookies = this.#cookies.exchange(request, client)
    const asked = { request, transport, client, cookies }
    const sent = this.#limited(asked, this.#answered(asked))
    // The limiter counts what it drops.
    if (sent === undefined) return undefined
    const { message, rcode } = sent
    const { octets, truncated } = message
    const qtype = request.question?.type
    const cookie = cookies.standing === 'none' ? undefined : cookies.standing
    this.#events.answered({ transport, qtype, rcode, octets: octets.length, truncated, cookie })
    return octets
  }

  #answered(asked: ReceivedQuery): Written {
    try {
      return this.#written(asked, this.#replyTo(asked))
    } catch (error) {
      this.#events.failed(error)
      return this.#written(asked, bareReply('SERVFAIL'))
    }
  }

  #replyTo({ request, transport, cookies }: ReceivedQuery): Reply {
    const { question } = request
    if (cookies.answer !== undefined && asksForCookie(request)) {
      return bareReply(cookies.refuted ? 'BADCOOKIE' : 'NOERROR')
    }
    const refusal = screen(request, transport)
    if (refusal !== undefined) return refusal
    // The screen rejects a request without a question.
    if (question === undefined) return bareReply('FORMERR')
    const { name, type, qclass } = question
    if (qclass === CLASS_CH) return this.#chaos.answer(name, type)
    return answer({ qname: name, qtype: type }, this.#zones)
  }

  /** What remains of an answer over UDP after rate limiting, if anything. */
  #limited(asked: ReceivedQuery, whole: Written): Written | undefined {
    const { transport, client, cookies } = asked
    const limiter = this.#limiter
    const isFree = transport === 'tcp' || cookies.standing === 'valid'
    if (isFree || client === undefined || limiter === undefined) return whole
    const { octets } = whole.message
    const bytes = limiter.limit(client, octets, octets.length, whole.inventedOctets)
    if (bytes === octets.length) return whole
    if (bytes === 0) return undefined
    // A client that supports cookies retries over UDP with the cookie that it gets here and is then not
    // rate-limited. This is the only case where BADCOOKIE helps a client.
    if (cookies.standing === 'client') return this.#written(asked, bareReply('BADCOOKIE'))
    return { ...whole, message: { octets: octets.subarray(0, bytes), truncated: true } }
  }

  #written(asked: ReceivedQuery, reply: Reply): Written {
    const { request, transport } = asked
    const { inventedOctets = 0 } = reply
    const limit = limitBytes(transport, request.edns)
    const options = this.#optionsFor(asked)
    const message = writeMessage(request, reply, limit, options)
    if (transport === 'tcp' && message.truncated) {
      // A client cannot retry over anything larger than TCP, so TC would not help.
      const failure = writeMessage(request, bareReply('SERVFAIL'), limit, options)
      return { message: failure, rcode: 'SERVFAIL', inventedOctets }
    }
    return { message, rcode: reply.rcode, inventedOctets }
  }

  /** The EDNS options, chosen by those of the request (RFC 5001 §2.2, RFC 7873 §5.2, RFC 7828 §3.2). */
  #optionsFor({ request, transport, cookies }: ReceivedQuery): AnswerOptions {
    const asked = request.edns?.options
    const wantsKeepalive = transport === 'tcp' && asked?.keepaliveBytes === 0
    return {
      nsid: asked?.wantsNsid === true ? this.#nsid : undefined,
      cookie: cookies.answer,
      keepaliveMs: wantsKeepalive ? this.#tcpIdleMs?.() : undefined,
    }
  }
}

/** Seconds since 1970. */
export function secondsNow(): number {
  return Math.floor(Date.now() / 1000)
}
