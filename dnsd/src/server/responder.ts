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
 * Makes the answer to a packet, or undefined when there must not be one. Never throws.
 *
 * @param client the address it came from, as the runtime writes it
 */
export type Responder = (
  packet: Uint8Array,
  transport: Transport,
  client?: string,
) => Buffer | undefined

/** Holds back answers over UDP (`RateLimiter`). */
export interface AnswerLimiter {
  /**
   * @param inventedOctets how much of the question's name a wildcard stood in for, from its left
   * @returns how many octets of `answer`, which may have been rewritten, are sent; 0 for none
   */
  limit(client: string, answer: Uint8Array, bytes: number, inventedOctets: number): number
}

export interface ResponderOptions extends ServerIdentity {
  /** 16 octets each: the first signs cookies, all are accepted (RFC 9018 §5). None: no cookies. */
  readonly cookieSecrets?: readonly Uint8Array[]
  /** How long a TCP connection may idle, for those who ask (RFC 7828). */
  readonly tcpIdleMs?: (() => number) | undefined
  readonly limiter?: AnswerLimiter | undefined
  /** Seconds since 1970, for cookies. */
  readonly nowSeconds?: () => number
}

interface Asked {
  readonly request: Request
  readonly transport: Transport
  readonly client: string | undefined
  readonly cookies: CookieExchange
}

/** The way of a packet: read, screened for what is refused at once, answered from the zones, written. */
export function createResponder(
  zones: ServedZones,
  events: ServerEvents,
  options: ResponderOptions = {},
): Responder {
  const { cookieSecrets = [], limiter } = options
  const chaos = new Chaos(options)
  const cookies = new ClientCookies(
    cookieSecrets,
    options.nowSeconds ?? (() => Math.floor(Date.now() / 1000)),
  )
  const optionsFor = answerOptions(options)
  const write = (asked: Asked, reply: Reply): Written => written(asked, reply, optionsFor(asked))
  const answered = (asked: Asked): Written => {
    try {
      return write(asked, replyTo(asked, zones, chaos))
    } catch (error) {
      events.failed(error)
      return write(asked, bareReply('SERVFAIL'))
    }
  }
  const limited = (asked: Asked, whole: Written): Written | undefined => {
    const {
      transport,
      client,
      cookies: { standing },
    } = asked
    if (transport === 'tcp' || client === undefined || standing === 'valid') return whole
    const { octets } = whole.message
    const bytes =
      limiter?.limit(client, octets, octets.length, whole.inventedOctets) ?? octets.length
    if (bytes === octets.length) return whole
    if (bytes === 0) return undefined
    // A client that knows cookies is told to come back with the one it gets here: over UDP, and
    // without a limit from then on. This is the one place where BADCOOKIE is of help to anybody.
    if (standing === 'client') return write(asked, bareReply('BADCOOKIE'))
    return { ...whole, message: { octets: octets.subarray(0, bytes), truncated: true } }
  }
  return (packet, transport, client) => {
    try {
      const request = readRequest(packet)
      if (request === undefined) {
        events.dropped(transport)
        return undefined
      }
      const asked = { request, transport, client, cookies: cookies.exchange(request, client) }
      const sent = limited(asked, answered(asked))
      // The limiter counts what it holds back.
      if (sent === undefined) return undefined
      const { message, rcode } = sent
      const { octets, truncated } = message
      const qtype = request.question?.type
      events.answered({ transport, qtype, rcode, octets: octets.length, truncated })
      return octets
    } catch (error) {
      events.failed(error)
      return undefined
    }
  }
}

function replyTo({ request, transport, cookies }: Asked, zones: ServedZones, chaos: Chaos): Reply {
  const { question } = request
  if (cookies.answer !== undefined && asksForCookie(request)) {
    return bareReply(cookies.refuted ? 'BADCOOKIE' : 'NOERROR')
  }
  const refusal = screen(request, transport)
  if (refusal !== undefined) return refusal
  // The screen lets nothing through without a question.
  if (question === undefined) return bareReply('FORMERR')
  const { name, type, qclass } = question
  return qclass === CLASS_CH
    ? chaos.answer(name, type)
    : answer({ qname: name, qtype: type }, zones)
}

/** The options of an answer by those of its request (RFC 5001 §2.2, RFC 7873 §5.2, RFC 7828 §3.2). */
function answerOptions({ identity, tcpIdleMs }: ResponderOptions) {
  const nsid = identity === undefined ? undefined : Buffer.from(identity)
  return ({ request, transport, cookies }: Asked): AnswerOptions => {
    const asked = request.edns?.options
    const wantsKeepalive = transport === 'tcp' && asked?.keepaliveBytes === 0
    return {
      nsid: asked?.wantsNsid === true ? nsid : undefined,
      cookie: cookies.answer,
      keepaliveMs: wantsKeepalive ? tcpIdleMs?.() : undefined,
    }
  }
}

interface Written {
  readonly message: Message
  readonly rcode: Reply['rcode']
  readonly inventedOctets: number
}

function written({ request, transport }: Asked, reply: Reply, options: AnswerOptions): Written {
  const { inventedOctets = 0 } = reply
  const limit = limitBytes(transport, request.edns)
  const message = writeMessage(request, reply, limit, options)
  if (transport === 'tcp' && message.truncated) {
    // There is nothing larger than TCP to come back over, so TC would be no help.
    const failure = writeMessage(request, bareReply('SERVFAIL'), limit, options)
    return { message: failure, rcode: 'SERVFAIL', inventedOctets }
  }
  return { message, rcode: reply.rcode, inventedOctets }
}
