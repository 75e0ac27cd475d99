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
 * What refuses a request whatever the zones hold, in the order in which it is looked at.
 *
 * @returns undefined for a question that the zones answer, or the names of class CH
 */
export function screen(request: Request, transport: Transport): Reply | undefined {
  // First the opcode: what else a message of another one looks like is not known (RFC 8906 §3.1.4).
  // NOTIFY (RFC 1996), UPDATE (RFC 2136) and DSO (RFC 8490) are among them and do nothing here.
  if (request.opcode !== OPCODE_QUERY) return bareReply('NOTIMP', 'NOT_SUPPORTED')
  const { question, edns } = request
  if (question === undefined || !request.wellFormed) return bareReply('FORMERR')
  if (edns !== undefined) {
    if (edns.version !== EDNS_VERSION) return bareReply('BADVERS')
    if (!hasRightLengths(edns, transport)) return bareReply('FORMERR')
  }
  // RFC 8945 §5.2.1: no key is known here, so none is the right one.
  if (request.signed) return bareReply('NOTAUTH')
  if (question.qclass === CLASS_CH) return undefined
  // There are no zones of any other class; ANY would be all of them.
  if (question.qclass !== CLASS_IN) return bareReply('REFUSED', 'NOT_SUPPORTED')
  return typeRefusal(question.type)
}

/**
 * Whether this is a question for a cookie alone, which has no question section (RFC 7873 §5.4). It is
 * the one exception from RFC 9619.
 */
export function asksForCookie(request: Request): boolean {
  const { edns, opcode, questionCount, signed, wellFormed } = request
  const isQuery = opcode === OPCODE_QUERY && questionCount === 0 && wellFormed && !signed
  const cookie = edns?.version === EDNS_VERSION ? edns.options.cookie : undefined
  return isQuery && cookie !== undefined && isCookieLength(cookie.length)
}

// RFC 7873 §5.2.2 and RFC 7828 §3.1. Over UDP the latter option is ignored whatever it holds (§3.2.2).
function hasRightLengths({ options }: Edns, transport: Transport): boolean {
  const { cookie, keepaliveBytes = 0 } = options
  if (cookie !== undefined && !isCookieLength(cookie.length)) return false
  return transport === 'udp' || keepaliveBytes === 0
}

function typeRefusal(type: number): Reply | undefined {
  switch (type) {
    // RFC 5936 §5 and RFC 1995: zones are transferred to nobody.
    case TYPE.AXFR:
    case TYPE.IXFR:
      return bareReply('REFUSED', 'PROHIBITED')
    // RFC 1035 §3.2.3: asked for by mailbox experiments of 1983.
    case MAILA:
    case MAILB:
      return bareReply('NOTIMP', 'NOT_SUPPORTED')
    // These accompany a message and are never asked for (RFC 6895 §3.1).
    case TYPE.OPT:
    case TYPE.TSIG:
    case TYPE.TKEY:
      return bareReply('FORMERR')
    default:
      return undefined
  }
}
