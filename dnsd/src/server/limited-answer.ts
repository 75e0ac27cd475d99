/*
 * What an answer is counted under, and how it is shortened over the rate. Both are read from the
 * finished answer, so that the code that makes answers does not depend on rate limits. All answers come
 * from this server and are not validated again.
 */
import { TYPE } from '../names/index.ts'
import { uint16At } from '../names/octets.ts'
import { RCODE } from '../wire/index.ts'

const HEADER_BYTES = 12
const FLAGS_AT = 2
const AA_AND_TC = 0x06
const TC = 0x02
const RCODE_BITS = 0x0f
// Of an OPT record, whose owner is the root.
const EXTENDED_RCODE_AT = 5
const POINTER_BITS = 0xc0

/** Kinds of answers, which are counted separately. */
export const ANSWER_KIND = { NAME: 1, NXDOMAIN: 2, REFERRAL: 3, ERROR: 4 } as const
export type AnswerKind = (typeof ANSWER_KIND)[keyof typeof ANSWER_KIND]

/**
 * Defines which answers share a count: those of one kind about one name, which lies in the answer's
 * octets.
 *
 * - Data and NODATA count for the QNAME. The part that the client can invent (below a wildcard or a
 *   DNAME) is left out; otherwise each invented name would have its own rate.
 * - NXDOMAIN counts for the zone and a referral for its zone cut, so invented names do not matter there
 *   either.
 * - Errors have no name.
 */
export class LimitedAnswer {
  kind: AnswerKind = ANSWER_KIND.ERROR
  nameStart = 0
  nameEnd = 0

  /** @param inventedOctets how many leading octets of the QNAME a wildcard matched */
  read(answer: Uint8Array, inventedOctets: number): void {
    this.#set(ANSWER_KIND.ERROR, 0, 0)
    if (uint16At(answer, 4) === 0) return
    const nameEnd = nameEndAt(answer, HEADER_BYTES)
    const asked = HEADER_BYTES + inventedOctets
    const flags = answer[FLAGS_AT] ?? 0
    const rcode = (answer[FLAGS_AT + 1] ?? 0) & RCODE_BITS
    const answerCount = uint16At(answer, 6)
    const firstAt = nameEnd + 4
    const isError = rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN && rcode !== RCODE.YXDOMAIN
    if (isError) return
    if (answerCount > 0) {
      if (typeAt(answer, firstAt) === TYPE.DNAME) {
        this.#setOwner(ANSWER_KIND.NAME, answer, firstAt, nameEnd)
      } else {
        this.#set(ANSWER_KIND.NAME, asked, nameEnd)
      }
    } else if (uint16At(answer, 8) > 0) {
      if (rcode === RCODE.NXDOMAIN) {
        this.#setOwner(ANSWER_KIND.NXDOMAIN, answer, firstAt, nameEnd)
      } else if (typeAt(answer, firstAt) === TYPE.NS) {
        this.#setOwner(ANSWER_KIND.REFERRAL, answer, firstAt, nameEnd)
      } else {
        this.#set(ANSWER_KIND.NAME, asked, nameEnd)
      }
    } else if ((flags & TC) !== 0) {
      // No record fitted.
      this.#set(ANSWER_KIND.NAME, asked, nameEnd)
    }
  }

  #set(kind: AnswerKind, start: number, end: number): void {
    this.kind = kind
    this.nameStart = start
    this.nameEnd = end
  }

  // Owner names are written as pointers into the QNAME, whose suffix they are, wherever possible.
  #setOwner(kind: AnswerKind, answer: Uint8Array, ownerAt: number, questionNameEnd: number): void {
    const target = uint16At(answer, ownerAt) & 0x3fff
    const points = ((answer[ownerAt] ?? 0) & POINTER_BITS) === POINTER_BITS
    if (points && target < questionNameEnd) this.#set(kind, target, questionNameEnd)
    else this.#set(kind, ownerAt, nameEndAt(answer, ownerAt))
  }
}

/**
 * Shortens an answer to the shortest one that still helps the client: the question, TC, and the OPT
 * record, which gives a client with a cookie the server's cookie. A real client retries over TCP or with
 * the cookie. A victim of a forged address gets no more octets than were sent in its name.
 *
 * An error is left unchanged: it has no records, and TC would change its meaning.
 *
 * @returns the new length of `answer`
 */
export function shorten(answer: Uint8Array, bytes: number, kind: AnswerKind): number {
  if (kind === ANSWER_KIND.ERROR) return bytes
  const questionEnd = nameEndAt(answer, HEADER_BYTES) + 4
  const records = uint16At(answer, 6) + uint16At(answer, 8) + uint16At(answer, 10)
  let end = questionEnd
  let at = questionEnd
  for (let each = 0; each < records && at < bytes; each++) {
    const next = recordEndAt(answer, at)
    if (typeAt(answer, at) === TYPE.OPT) {
      answer.copyWithin(questionEnd, at, next)
      end = questionEnd + (next - at)
      break
    }
    at = next
  }
  // It carries no data about the name, so AA and the RCODE are cleared.
  answer[FLAGS_AT] = ((answer[FLAGS_AT] ?? 0) & ~AA_AND_TC) | TC
  answer[FLAGS_AT + 1] = (answer[FLAGS_AT + 1] ?? 0) & ~RCODE_BITS
  answer.fill(0, 6, HEADER_BYTES)
  answer[11] = end === questionEnd ? 0 : 1
  return end
}

/**
 * Turns a shortened answer into BADCOOKIE (RFC 7873 §5.2.3). A client that supports cookies retries over
 * UDP with the cookie that it gets here and is then not rate-limited.
 *
 * @param optAt the offset of its OPT record
 */
export function badCookie(answer: Uint8Array, optAt: number): void {
  answer[FLAGS_AT] = (answer[FLAGS_AT] ?? 0) & ~AA_AND_TC
  answer[FLAGS_AT + 1] =
    ((answer[FLAGS_AT + 1] ?? 0) & ~RCODE_BITS) | (RCODE.BADCOOKIE & RCODE_BITS)
  answer[optAt + EXTENDED_RCODE_AT] = RCODE.BADCOOKIE >> 4
}

function nameEndAt(octets: Uint8Array, start: number): number {
  for (let at = start; ;) {
    const length = octets[at] ?? 0
    if (length === 0) return at + 1
    if (length >= POINTER_BITS) return at + 2
    at += 1 + length
  }
}

function typeAt(octets: Uint8Array, recordAt: number): number {
  return uint16At(octets, nameEndAt(octets, recordAt))
}

function recordEndAt(octets: Uint8Array, recordAt: number): number {
  const fixedAt = nameEndAt(octets, recordAt)
  return fixedAt + 10 + uint16At(octets, fixedAt + 8)
}
