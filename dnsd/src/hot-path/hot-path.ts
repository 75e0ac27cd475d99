/*
 * The fast path for common queries: from the octets of the packet to the octets of the answer, without
 * allocations and without text.
 *
 *   question      accepts plain queries: one name, one data type, at most an OPT with a cookie
 *   look-ahead    reads the queries of a batch together, so that the table entries are in the cache
 *   look-up       finds the table entry with the name's records
 *   negative-soa  the SOA record of negative answers, compiled for each version of a zone
 *   compose       writes the message
 *   outcome       what query counts say about an answer, of this path or of the full one
 *
 * Its answers are byte for byte the same as those of `answer/` and `wire/`. It leaves everything else to
 * them: referrals, aliases, answers with an additional section, compressed names in RDATA, names that are
 * missing in an incomplete zone, and queries and answers that are not plain or do not fit. It saves CPU
 * time and changes no answer.
 */
import { TYPE } from '../names/index.ts'
import { ALIAS, CUTS_BELOW, DELEGATES, INCOMPLETE, type TableReader } from '../table/index.ts'
import { ZoneQuestion } from './zone-question.ts'
import { writeData, writeNothing } from './compose.ts'
import { type Foreseen, LookAhead, type WaitingPackets } from './look-ahead.ts'
import { BEHIND_A_CUT, LookUp } from './look-up.ts'
import { NegativeSoas } from './negative-soa.ts'
import { OUTCOME, type Outcome } from './outcome.ts'
import type { PlainQuestion } from './question.ts'

const NOERROR = 0
const NXDOMAIN = 3
// Batches have no slot with this number.
const NOT_FORESEEN = 0x7fff_ffff

// Types whose records are copied as stored: they have no names that are compressed (RFC 3597 §4) or need addresses
// in the additional section.
const COPIED = new Uint8Array(1 + TYPE.CAA)
for (const type of [TYPE.A, TYPE.AAAA, TYPE.TXT, TYPE.SSHFP, TYPE.TLSA, TYPE.CAA]) COPIED[type] = 1

/** Answers plain questions from the table of one reader. After an answer the fields describe it. */
export class HotPath {
  /**
   * Whether the caller adds cookies to answers (`PlainQuestion.cookieBytes`); otherwise the pipeline answers such
   * questions.
   */
  takesCookies = false
  question: PlainQuestion
  /** The number of the zone that answered, 0 without one. */
  zone = 0
  /** The zone's apex is this suffix of the question's name. */
  apexLabel = 0
  /** Entry of the QNAME, or of the wildcard that matched it; 0 when the name does not exist. */
  owner = 0
  /** How many leading octets of the QNAME a wildcard matched. */
  inventedOctets = 0
  /** The closest encloser of the QNAME (RFC 4592 §3.3.1) is this suffix of it, and its entry. Only for missing names. */
  encloserLabel = 0
  encloserRef = 0
  rcode = NOERROR
  outcome: Outcome = OUTCOME.DATA
  #apexRef = 0
  #changes = 0
  readonly #reader: TableReader
  readonly #own: ZoneQuestion
  #lookAhead: LookAhead | undefined
  /** The packets that were read ahead and may still be answered. */
  #foreseen = 0
  readonly #lookUp: LookUp
  readonly #soas: NegativeSoas

  constructor(reader: TableReader) {
    this.#reader = reader
    this.#own = new ZoneQuestion(reader)
    this.question = this.#own.question
    this.#lookUp = new LookUp(reader)
    this.#soas = new NegativeSoas(reader)
  }

  /**
   * Reads the next packets ahead, which makes answering them faster. Valid until the reader leaves: then call
   * `forget`.
   *
   * @returns the names that were read
   */
  foresee(waiting: WaitingPackets, count: number): Foreseen {
    this.#lookAhead ??= new LookAhead(this.#reader)
    this.#foreseen = this.#lookAhead.read(waiting, count)
    return this.#lookAhead
  }

  /** Discards what was read ahead, because it may be outdated. */
  forget(): void {
    this.#foreseen = 0
  }

  /**
   * Answers a packet.
   *
   * @param packetBytes the length of the packet in `packet`
   * @param out with room for ANSWER_LIMIT_BYTES, and not the packet itself
   * @param slot of the packet, if it was read ahead
   * @returns the length of the answer in octets; 0 when the pipeline must answer. For a question with a cookie, the
   * caller fills in the last COOKIE_BYTES.
   */
  answer(packet: Uint8Array, packetBytes: number, out: Uint8Array, slot = NOT_FORESEEN): number {
    const asked = this.#askedBy(packet, packetBytes, slot)
    const { question } = asked
    this.question = question
    if (question.cookieBytes > 0 && !this.takesCookies) return 0
    // DS belongs to the parent side of a zone cut, unlike all other types (RFC 4035 §3.1.4.1).
    if (!asked.isPlain || question.qtype === TYPE.DS) return 0
    if (!this.#find(asked)) return 0
    const { owner } = this
    if ((owner === 0 || this.inventedOctets > 0) && this.#isIncomplete()) return 0
    if (owner === 0) return this.#writeNothing(packet, NXDOMAIN, out)
    const reader = this.#reader
    if ((reader.flagsOf(owner) & (ALIAS | DELEGATES)) !== 0) return 0
    const at = reader.findRRset(owner, question.qtype)
    if (at === 0) return this.#writeNothing(packet, NOERROR, out)
    if (COPIED[question.qtype] !== 1 || this.#mayBeHidden()) return 0
    this.rcode = NOERROR
    this.outcome = OUTCOME.DATA
    return writeData(packet, question, reader.octetsOf(owner), at, out)
  }

  /**
   * Finds the name that a packet asks for, with any kind of question. It is for counting answers that the pipeline
   * gave.
   *
   * @returns whether it is a name of a zone, which is then in `zone` and `owner`; `question` has its name and type
   */
  locate(packet: Uint8Array, packetBytes: number): boolean {
    const asked = this.#own
    asked.readName(packet, packetBytes)
    this.question = asked.question
    return this.#find(asked)
  }

  #askedBy(packet: Uint8Array, packetBytes: number, slot: number): ZoneQuestion {
    if (slot < this.#foreseen && this.#lookAhead !== undefined) return this.#lookAhead.at(slot)
    this.#own.read(packet, packetBytes)
    return this.#own
  }

  // False for names outside all zones, and for names behind a zone cut, which other servers answer for.
  #find({ question, zone, apexLabel }: ZoneQuestion): boolean {
    if (zone === 0) return false
    const { name } = question
    const reader = this.#reader
    this.#changes = reader.control.changes
    // The apex is read before the names. It is published after them, so the names found are at least as new as the
    // serial in the answer.
    const apexRef = reader.find(zone, name, apexLabel, apexLabel)
    if (apexRef === 0) return false
    const lookUp = this.#lookUp
    const source = lookUp.source(zone, name, apexLabel, apexRef)
    if (source === BEHIND_A_CUT) return false
    this.zone = zone
    this.apexLabel = apexLabel
    this.#apexRef = apexRef
    this.owner = source
    this.inventedOctets = source === 0 ? 0 : (name.starts[lookUp.encloser] as number)
    this.encloserLabel = lookUp.encloser
    this.encloserRef = lookUp.encloserRef
    return true
  }

  #isIncomplete(): boolean {
    return (this.#reader.flagsOf(this.#apexRef) & INCOMPLETE) !== 0
  }

  // Names are being added or removed in a zone with cuts, so a cut above the found name may be added or removed too.
  #mayBeHidden(): boolean {
    const reader = this.#reader
    if (reader.control.isQuiet(this.#changes)) return false
    // Both apex entries are checked: the new one is the first to show an added cut, and the old one still shows a removed
    // cut.
    const apexRef = reader.find(this.zone, this.question.name, this.apexLabel, this.apexLabel)
    const flags = reader.flagsOf(this.#apexRef) | (apexRef === 0 ? 0 : reader.flagsOf(apexRef))
    return (flags & CUTS_BELOW) !== 0
  }

  #writeNothing(packet: Uint8Array, rcode: number, out: Uint8Array): number {
    const { question } = this
    // Names are being added or removed, so the missing name may be about to be added. The pipeline can wait for
    // that.
    if (!this.#reader.control.isQuiet(this.#changes)) return 0
    const soa = this.#soas.of(this.zone, this.#apexRef, question.name, this.apexLabel)
    if (soa === undefined || !soa.suits(question.name, this.apexLabel)) return 0
    this.rcode = rcode
    this.outcome = rcode === NXDOMAIN ? OUTCOME.NXDOMAIN : OUTCOME.NODATA
    return writeNothing(packet, question, soa, rcode, out)
  }
}
