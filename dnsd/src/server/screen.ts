import { TYPE } from '../names/index.ts'
import { EDNS_VERSION, type Rcode, type Request } from '../wire/index.ts'

const OPCODE_QUERY = 0
const CLASS_IN = 1
const MAILB = 253
const MAILA = 254

/**
 * What refuses a request whatever the zones hold, in the order in which it is looked at.
 *
 * @returns undefined for a question that the zones answer
 */
export function screen(request: Request): Rcode | undefined {
  // First the opcode: what else a message of another one looks like is not known (RFC 8906 §3.1.4).
  // NOTIFY (RFC 1996), UPDATE (RFC 2136) and DSO (RFC 8490) are among them and do nothing here.
  if (request.opcode !== OPCODE_QUERY) return 'NOTIMP'
  const { question, edns } = request
  if (question === undefined || !request.wellFormed) return 'FORMERR'
  if (edns !== undefined && edns.version !== EDNS_VERSION) return 'BADVERS'
  // RFC 8945 §5.2.1: no key is known here, so none is the right one.
  if (request.signed) return 'NOTAUTH'
  // CH has `version.bind` and `id.server` (RFC 4892), which nobody has to know; ANY and others have
  // no zones here.
  if (question.qclass !== CLASS_IN) return 'REFUSED'
  return typeRefusal(question.type)
}

function typeRefusal(type: number): Rcode | undefined {
  switch (type) {
    // RFC 5936 §5 and RFC 1995: zones are transferred to nobody.
    case TYPE.AXFR:
    case TYPE.IXFR:
      return 'REFUSED'
    // RFC 1035 §3.2.3: asked for by mailbox experiments of 1983.
    case MAILA:
    case MAILB:
      return 'NOTIMP'
    // These accompany a message and are never asked for (RFC 6895 §3.1).
    case TYPE.OPT:
    case TYPE.TSIG:
    case TYPE.TKEY:
      return 'FORMERR'
    default:
      return undefined
  }
}
