/*
 * Wraps a responder with what secondaries need:
 *
 * - A request with a TSIG record is verified, answered like an unsigned one, and the answer is signed
 *   (RFC 8945 §5). A failed verification is reported with NOTAUTH and the record's error.
 * - IXFR over UDP is answered with only the zone's SOA, to clients that may transfer the zone. A client
 *   with that version needs nothing else; other clients retry over TCP (RFC 1995 §2).
 */
import { nameKey, TYPE } from '../names/index.ts'
import type { ServerEvents, Transport } from '../server/index.ts'
import type { AnswerLimiter, Responder } from '../server/responder.ts'
import { limitBytes, readRequest, writeMessage, bareReply } from '../wire/index.ts'
import { uint16At } from '../names/octets.ts'
import { findNameEnd } from '../wire/name-end.ts'
import type { TsigKey } from '../wire/tsig-key.ts'
import { findTsig, type PlacedTsig, withRecord } from '../wire/tsig-record.ts'
import { checkTsig, TSIG_ERROR, TsigSigner, unsignedError } from '../wire/tsig-signature.ts'
import type { ServedZones } from '../zone/index.ts'
import type { TransferAccess } from './access.ts'
import { transferQuestion, type TransferQuestion } from './question.ts'

export interface SignedResponderOptions {
  readonly respond: Responder
  /** Called for each request, since settings change. */
  readonly access: () => TransferAccess
  readonly zones: ServedZones
  readonly events: Pick<ServerEvents, 'answered' | 'failed'>
  /** Limits the refusals made here; `respond` limits all other answers. */
  readonly limiter?: AnswerLimiter | undefined
  readonly nowSeconds?: () => number
}

/** Seconds since 1970 by this machine's clock. */
const clockSeconds = (): number => Math.floor(Date.now() / 1000)

/** A responder that also accepts signed requests. Never throws. */
export function createSignedResponder(options: SignedResponderOptions): Responder {
  const { respond, events } = options
  return (packet, transport, client) => {
    try {
      const placed = findTsig(packet)
      return placed === undefined
        ? responding(options, packet, transport, client, undefined)
        : answerSigned(options, packet, placed, transport, client)
    } catch (error) {
      events.failed(error)
      return respond(packet, transport, client)
    }
  }
}

function answerSigned(
  options: SignedResponderOptions,
  packet: Uint8Array,
  placed: PlacedTsig,
  transport: Transport,
  client: string | undefined,
): Buffer | undefined {
  const { access, respond, nowSeconds = clockSeconds } = options
  const check = checkTsig(packet, placed, access().findKey, nowSeconds())
  // The wrapped responder knows no keys and reports that.
  if (check.kind === 'unknown-key') return respond(packet, transport, client)
  if (check.kind !== 'valid') return refusal(options, packet, placed, check, transport, client)
  const answer = responding(options, check.message, transport, client, check.key)
  if (answer === undefined) return undefined
  const signer = new TsigSigner(check.key, placed.record.mac)
  const limit = limitBytes(transport, readRequest(check.message)?.edns)
  const fits = answer.length + signer.signatureBytes <= limit
  return signer.sign(fits ? answer : questionOnly(answer), nowSeconds())
}

/**
 * RFC 8945 §5.3: if the signature does not fit, the answer has only the question, TC and the signature.
 */
function questionOnly(answer: Buffer): Buffer {
  const nameEnd = findNameEnd(answer, 12)?.end ?? 8
  const message = Buffer.from(answer.subarray(0, nameEnd + 4))
  message[2] = (message[2] ?? 0) | 0x02
  message[3] = (message[3] ?? 0) & 0xf0
  message.fill(0, 6, 12)
  return message
}

function responding(
  { access, respond, zones }: SignedResponderOptions,
  packet: Uint8Array,
  transport: Transport,
  client: string | undefined,
  key: TsigKey | undefined,
): Buffer | undefined {
  const question = transport === 'udp' ? transferQuestion(packet) : undefined
  if (question?.type !== 'IXFR' || client === undefined) return respond(packet, transport, client)
  const apexKey = nameKey(question.apex)
  const zone = zones.answering(apexKey, TYPE.SOA)
  const isTransferred = zone?.key === apexKey && !zone.isIncomplete
  if (!isTransferred || !access().allows(apexKey, client, key)) {
    return respond(packet, transport, client)
  }
  const asSoa = soaQuestion(packet, question)
  const answer = respond(asSoa, transport, client)
  // If the question can be echoed, it is at the same offset as in the request.
  if (answer !== undefined && answer.length > question.typeAt + 4) {
    answer.writeUInt16BE(TYPE.IXFR, question.typeAt)
  }
  return answer
}

/** The same request with a question for the SOA, without the client's version. */
function soaQuestion(packet: Uint8Array, { typeAt }: TransferQuestion): Buffer {
  const questionEnd = typeAt + 4
  const owner = uint16At(packet, 8) === 1 ? findNameEnd(packet, questionEnd) : undefined
  const heldEnd =
    owner === undefined ? questionEnd : owner.end + 10 + uint16At(packet, owner.end + 8)
  const asSoa = Buffer.concat([packet.subarray(0, questionEnd), packet.subarray(heldEnd)])
  asSoa.writeUInt16BE(TYPE.SOA, typeAt)
  if (owner !== undefined) asSoa.writeUInt16BE(0, 8)
  return asSoa
}

type Failed = Exclude<
  ReturnType<typeof checkTsig>,
  { readonly kind: 'valid' } | { readonly kind: 'unknown-key' }
>

function refusal(
  { events, limiter, nowSeconds = clockSeconds }: SignedResponderOptions,
  packet: Uint8Array,
  { record }: PlacedTsig,
  check: Failed,
  transport: Transport,
  client: string | undefined,
): Buffer | undefined {
  const request = readRequest(packet)
  if (request === undefined) return undefined
  const rcode = check.kind === 'malformed' ? 'FORMERR' : 'NOTAUTH'
  // The refusal that `readRequest` prepares is for unknown keys.
  const plain = { ...request, tsigRefusal: undefined }
  const limit = limitBytes(transport, request.edns)
  const { octets: message } = writeMessage(plain, bareReply(rcode), limit)
  const times = { requestSeconds: record.timeSeconds, nowSeconds: nowSeconds() }
  const octets = signedRefusal(message, record, check, times)
  const fitting = octets.length <= limit ? octets : message
  // Without this limit, an attacker who knows the name of a key could flood a third party with refusals.
  const isLimited = transport === 'udp' && client !== undefined && limiter !== undefined
  if (isLimited && limiter.limit(client, fitting, fitting.length, 0) === 0) return undefined
  const qtype = request.question?.type
  events.answered({ transport, qtype, rcode, octets: fitting.length, truncated: false })
  return fitting
}

function signedRefusal(
  message: Buffer,
  record: PlacedTsig['record'],
  check: Failed,
  times: { requestSeconds: number; nowSeconds: number },
): Buffer {
  if (check.kind === 'malformed') return message
  if (check.kind === 'wrong') {
    return withRecord(message, unsignedError(record, TSIG_ERROR.BADSIG))
  }
  const error = check.kind === 'untimely' ? TSIG_ERROR.BADTIME : TSIG_ERROR.BADTRUNC
  return new TsigSigner(check.key, record.mac).signError(message, error, times)
}
