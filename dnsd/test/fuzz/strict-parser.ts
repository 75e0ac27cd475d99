/*
 * A strict parser of DNS messages for the fuzzer. It shares no code with the parser of the server, and
 * is strict where the RFCs allow leniency. Each irregularity is an error with its position.
 */

/** Why a message is invalid. */
export class NotStrict extends Error {}

// Half of all packets are invalid. The stack trace is not needed, and creating it would take longer than
// everything else.
function notStrict(reason: string): NotStrict {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  const error = new NotStrict(reason)
  Error.stackTraceLimit = limit
  return error
}

export interface StrictRecord {
  readonly section: 'answer' | 'authority' | 'additional'
  /** Lower case, one character an octet, with lengths between the labels. */
  readonly owner: string
  readonly type: number
  readonly rclass: number
  readonly ttl: number
  readonly start: number
  readonly rdataAt: number
  readonly rdataBytes: number
}

export interface StrictMessage {
  readonly id: number
  readonly flags: number
  readonly opcode: number
  /** Includes the upper bits of the OPT record. */
  readonly rcode: number
  /** All octets of the question. */
  readonly question: Buffer | undefined
  readonly qname: string
  readonly qtype: number
  readonly qclass: number
  /** Without OPT and TSIG. */
  readonly records: readonly StrictRecord[]
  readonly opt: StrictRecord | undefined
  readonly tsig: StrictRecord | undefined
}

const HEADER_BYTES = 12
const OPT = 41
const TSIG = 250
const ANY = 255
const COOKIE = 10
const SECTIONS = ['answer', 'authority', 'additional'] as const

/**
 * Reads a whole message.
 *
 * @throws NotStrict at the first thing that is wrong
 */
export function parseStrictly(octets: Buffer): StrictMessage {
  if (octets.length < HEADER_BYTES) throw notStrict('shorter than a header')
  const reader = new Reader(octets)
  const counts = [4, 6, 8, 10].map((at) => octets.readUInt16BE(at))
  const [questions = 0, ...recordCounts] = counts
  if (questions > 1) throw notStrict(`${questions} questions`)
  const asked = questions === 1 ? reader.question() : NO_QUESTION
  const all = SECTIONS.flatMap((section, index) =>
    Array.from({ length: Math.min(recordCounts[index] ?? 0, octets.length) }, () =>
      reader.record(section),
    ),
  )
  if (reader.at !== octets.length) {
    throw notStrict(`${octets.length - reader.at} octets left over`)
  }
  const opt = onlyOpt(all)
  // The root name as one zero octet, not a pointer to one (RFC 6891 §6.1.2).
  if (opt !== undefined && octets[opt.start] !== 0) throw notStrict('an OPT with an owner')
  const flags = octets.readUInt16BE(2)
  const upperRcode = opt === undefined ? 0 : (opt.ttl >>> 24) << 4
  return {
    id: octets.readUInt16BE(0),
    flags,
    opcode: (flags >>> 11) & 0xf,
    rcode: upperRcode | (flags & 0xf),
    ...asked,
    records: all.filter(({ type }) => type !== OPT && type !== TSIG),
    opt,
    tsig: lastTsig(all),
  }
}

const NO_QUESTION = { question: undefined, qname: '', qtype: 0, qclass: 0 }

function onlyOpt(records: readonly StrictRecord[]): StrictRecord | undefined {
  const [opt, another] = records.filter(({ type }) => type === OPT)
  if (another !== undefined) throw notStrict('two OPT records')
  if (opt !== undefined && opt.section !== 'additional') throw notStrict('a misplaced OPT')
  return opt
}

function lastTsig(records: readonly StrictRecord[]): StrictRecord | undefined {
  const tsig = records.find(({ type }) => type === TSIG)
  if (tsig === undefined) return undefined
  const isLast = records.indexOf(tsig) === records.length - 1 && tsig.section === 'additional'
  if (!isLast) throw notStrict('a TSIG record that is not the last')
  if (tsig.rclass !== ANY || tsig.ttl !== 0) throw notStrict('a TSIG record of a class or TTL')
  return tsig
}

class Reader {
  at = HEADER_BYTES
  readonly #octets: Buffer

  constructor(octets: Buffer) {
    this.#octets = octets
  }

  question() {
    const start = this.at
    const qname = this.#name(false)
    const qtype = this.#uint16()
    const qclass = this.#uint16()
    return { question: this.#octets.subarray(start, this.at), qname, qtype, qclass }
  }

  record(section: StrictRecord['section']): StrictRecord {
    const start = this.at
    const owner = this.#name(true)
    const type = this.#uint16()
    const rclass = this.#uint16()
    const ttl = this.#uint16() * 0x1_0000 + this.#uint16()
    const rdataBytes = this.#uint16()
    const rdataAt = this.at
    this.#need(rdataBytes)
    const end = rdataAt + rdataBytes
    this.#rdata(type, ttl, end)
    if (this.at !== end) throw notStrict(`RDATA of type ${type} at ${rdataAt} ends elsewhere`)
    return { section, owner, type, rclass, ttl, start, rdataAt, rdataBytes }
  }

  #need(bytes: number): void {
    if (this.at + bytes > this.#octets.length) throw notStrict(`the end at ${this.at}`)
  }

  #uint16(): number {
    this.#need(2)
    this.at += 2
    return this.#octets.readUInt16BE(this.at - 2)
  }

  /** Each pointer must lead to an earlier place than the last one, so the loop ends. */
  #name(mayPoint: boolean): string {
    let name = ''
    let nameBytes = 1
    let at = this.at
    let runStart = at
    let end = -1
    for (;;) {
      const length = this.#octets[at]
      if (length === undefined) throw notStrict(`a name without an end at ${this.at}`)
      if (length === 0) break
      if (length >= 0xc0) {
        const low = this.#octets[at + 1]
        if (low === undefined) throw notStrict(`half a pointer at ${at}`)
        if (!mayPoint) throw notStrict(`a pointer at ${at}, where compression is not allowed`)
        const target = (length & 0x3f) * 256 + low
        if (target >= runStart) throw notStrict(`a pointer forward at ${at}`)
        if (target < HEADER_BYTES) throw notStrict(`a pointer into the header at ${at}`)
        if (end === -1) end = at + 2
        at = target
        runStart = target
        continue
      }
      if (length > 63) throw notStrict(`a label of an unknown kind at ${at}`)
      nameBytes += 1 + length
      if (nameBytes > 255) throw notStrict(`a name of more than 255 octets at ${this.at}`)
      if (at + 1 + length > this.#octets.length) throw notStrict(`half a label at ${at}`)
      name += this.#octets.toString('latin1', at, at + 1 + length)
      at += 1 + length
    }
    this.at = end === -1 ? at + 1 : end
    return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  }

  #rdata(type: number, ttl: number, end: number): void {
    const layout = LAYOUTS.get(type)
    if (layout !== undefined) this.#fields(layout, end)
    else if (type !== OPT) this.at = end
    // The format of options in later versions is unknown.
    else if (((ttl >>> 16) & 0xff) !== 0) this.at = end
    else this.#options(end)
  }

  #fields(layout: string, end: number): void {
    for (const field of layout) {
      if (field === 'n' || field === 'N') this.#name(field === 'N')
      else if (field === 's') this.at += 1 + (this.#octets[this.at] ?? 0)
      else if (field === 'S') this.#strings(end)
      else if (field === 'p') this.#params(end)
      else if (field === '*') this.at = Math.max(this.at, end)
      else this.at += Number.parseInt(field, 36)
      if (this.at > end) throw notStrict(`RDATA that goes on past ${end}`)
    }
  }

  #strings(end: number): void {
    if (this.at >= end) throw notStrict(`no text at ${this.at}`)
    while (this.at < end) this.at += 1 + (this.#octets[this.at] ?? 0)
  }

  /** SvcParams: keys are in ascending order (RFC 9460 §2.2). */
  #params(end: number): void {
    let lastKey = -1
    while (this.at < end) {
      const key = this.#uint16()
      if (key <= lastKey) throw notStrict(`SvcParamKeys that do not rise at ${this.at}`)
      lastKey = key
      const bytes = this.#uint16()
      this.at += bytes
    }
  }

  /** Of two cookies the first one counts (RFC 7873 §5.2), and must have a valid length. */
  #options(end: number): void {
    let hasCookie = false
    while (this.at < end) {
      const code = this.#uint16()
      const bytes = this.#uint16()
      const isCookie = bytes === 8 || (bytes >= 16 && bytes <= 40)
      const isFirst: boolean = code === COOKIE && !hasCookie
      if (isFirst && !isCookie) throw notStrict(`a cookie of ${bytes} octets`)
      hasCookie ||= isFirst
      this.at += bytes
    }
  }
}

// A digit (or letter) is that many octets; `N` a name that may be compressed, `n` a name that may not; `s`
// a character string, `S` several, `p` SvcParams, `*` the rest. RFC 3597 §4 says which names may be
// compressed.
const LAYOUTS = new Map<number, string>([
  [1, '4'],
  [2, 'N'],
  [5, 'N'],
  [6, 'NNk'],
  [12, 'N'],
  [13, 'ss'],
  [15, '2N'],
  [16, 'S'],
  [28, 'g'],
  [33, '6n'],
  [35, '4sssn'],
  [39, 'n'],
  [43, '4*'],
  [44, '2*'],
  [52, '3*'],
  [64, '2np'],
  [65, '2np'],
  [257, '1s*'],
])
