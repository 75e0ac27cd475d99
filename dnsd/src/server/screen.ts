import { TYPE } from '../names/index.ts'
import {
  bareReply,
  EDNS_VERSION,
  isCookieLength,
  type Edns,
  type Reply,
  type Request,
} from '../wire/index.ts'
import { CLASS_CH } from './chaos.ts'
import type { Transport } from './events.ts'

const OPCODE_QUERY = 0
const CLASS_IN = 1
const MAILB = 253
const MAILA = 254

/**
 * Refuses requests without looking at the zones. The checks run in this order.
 *
 * @returns undefined for a question for the zones or for the names of class CH
 */
export function screen(request: Request, transport: Transport): Reply | undefined {
  // The opcode comes first: the message format of other opcodes is unknown (RFC 8906 §3.1.4). They
  // include NOTIFY (RFC 1996), UPDATE (RFC 2136) and DSO (RFC 8490), which are not supported here.
  if (request.opcode !== OPCODE_QUERY) return bareReply('NOTIMP', 'NOT_SUPPORTED')
  const { question, edns } = request
  if (question === undefined || !request.wellFormed) return bareReply('FORMERR')
  if (edns !== undefined) {
    if (edns.version !== EDNS_VERSION) return bareReply('BADVERS')
    if (!hasRightLengths(edns, transport)) return bareReply('FORMERR')
  }
  // RFC 8945 §5.2.1: no key is known here, so every key is wrong.
  if (request.signed) return bareReply('NOTAUTH')
  if (question.qclass === CLASS_CH) return undefined
  // There are no zones of any other class; ANY would mean all classes.
  if (question.qclass !== CLASS_IN) return bareReply('REFUSED', 'NOT_SUPPORTED')
  return typeRefusal(question.type)
}

/**
 * Whether the request asks only for a cookie and has no question section (RFC 7873 §5.4). It is the
 * one exception from RFC 9619.
 */
export function asksForCookie(request: Request): boolean {
  const { edns, opcode, questionCount, signed, wellFormed } = request
  const isQuery = opcode === OPCODE_QUERY && questionCount === 0 && wellFormed && !signed
  const cookie = edns?.version === EDNS_VERSION ? edns.options.cookie : undefined
  return isQuery && cookie !== undefined && isCookieLength(cookie.length)
}

// RFC 7873 §5.2.2 and RFC 7828 §3.1. Over UDP the latter option is ignored regardless of its content
// (§3.2.2).
function hasRightLengths({ options }: Edns, transport: Transport): boolean {
  const { cookie, keepaliveBytes = 0 } = options
  if (cookie !== undefined && !isCookieLength(cookie.length)) return false
  return transport === 'udp' || keepaliveBytes === 0
}

function typeRefusal(type: number): Reply | undefined {
  switch (type) {
    // RFC 5936 §5 and RFC 1995: zone transfers are refused here.
    case TYPE.AXFR:
    case TYPE.IXFR:
      return bareReply('REFUSED', 'PROHIBITED')
    // RFC 1035 §3.2.3: used by mailbox experiments of 1983.
    case MAILA:
    case MAILB:
      return bareReply('NOTIMP', 'NOT_SUPPORTED')
    // These are part of a message and cannot be queried (RFC 6895 §3.1).
    case TYPE.OPT:
    case TYPE.TSIG:
    case TYPE.TKEY:
      return bareReply('FORMERR')
    default:
      return undefined
  }
}
