import { answer } from '../answer/index.ts'
import {
  bareReply,
  limitBytes,
  readRequest,
  writeMessage,
  type Message,
  type Reply,
  type Request,
} from '../wire/index.ts'
import type { Zones } from '../zone/index.ts'
import type { ServerEvents, Transport } from './events.ts'
import { screen } from './screen.ts'

/** Makes the answer to a packet, or undefined when there must not be one. Never throws. */
export type Responder = (packet: Uint8Array, transport: Transport) => Buffer | undefined

/** The way of a packet: read, screened for what is refused at once, answered from the zones, written. */
export function createResponder(zones: Zones, events: ServerEvents): Responder {
  const answered = (request: Request, transport: Transport): Written => {
    try {
      return written(request, replyTo(request, zones), transport)
    } catch (error) {
      events.failed(error)
      return written(request, bareReply('SERVFAIL'), transport)
    }
  }
  return (packet, transport) => {
    try {
      const request = readRequest(packet)
      if (request === undefined) {
        events.dropped(transport)
        return undefined
      }
      const { message, rcode } = answered(request, transport)
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

function replyTo(request: Request, zones: Zones): Reply {
  const { question } = request
  const refusal = screen(request)
  if (refusal !== undefined) return bareReply(refusal)
  // The screen lets nothing through without a question.
  if (question === undefined) return bareReply('FORMERR')
  return answer({ qname: question.name, qtype: question.type }, zones)
}

interface Written {
  readonly message: Message
  readonly rcode: Reply['rcode']
}

function written(request: Request, reply: Reply, transport: Transport): Written {
  const limit = limitBytes(transport, request.edns)
  const message = writeMessage(request, reply, limit)
  if (transport === 'tcp' && message.truncated) {
    // There is nothing larger than TCP to come back over, so TC would be no help.
    return { message: writeMessage(request, bareReply('SERVFAIL'), limit), rcode: 'SERVFAIL' }
  }
  return { message, rcode: reply.rcode }
}
