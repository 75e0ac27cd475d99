/* The outcome of an answer as query counts tell it apart: RCODEs, and whether there were records (RFC 2308 §2). */
import { uint16At } from '../names/octets.ts'
import { HEADER_BYTES } from './question.ts'

/** Outcomes. The numbers are places in the records of `query-counts`. */
export const OUTCOME = { DATA: 2, NXDOMAIN: 3, OTHER: 4, NODATA: 5 } as const
export type Outcome = (typeof OUTCOME)[keyof typeof OUTCOME]

const NXDOMAIN = 3
const TRUNCATED = 0x02
const RCODE_BITS = 0x0f

/** The outcome of a complete answer, from its octets. */
export function outcomeOf(answer: Uint8Array): Outcome {
  const rcode = (answer[3] ?? 0) & RCODE_BITS
  if (rcode === NXDOMAIN) return OUTCOME.NXDOMAIN
  if (rcode !== 0 || answer.length < HEADER_BYTES) return OUTCOME.OTHER
  // A truncated answer stands for records that the client gets over TCP.
  if (uint16At(answer, 6) > 0 || ((answer[2] ?? 0) & TRUNCATED) !== 0) return OUTCOME.DATA
  // A negative answer has an SOA record. Without one, the upper bits of the RCODE are in OPT: BADVERS.
  return uint16At(answer, 8) > 0 ? OUTCOME.NODATA : OUTCOME.OTHER
}
