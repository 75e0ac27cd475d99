/**
 * The queries of ISC's DNS compliance tester (ednscomp, genreport), sent with dig, and its verdicts:
 * unknown versions, options, flags, opcodes and types must be answered as RFC 6891, RFC 8906 §8 and
 * RFC 1035 §4.1.1 require. A verdict is a list of the tester's error words; an empty list is its `ok`.
 */
import type { Namespace } from '../support/namespaces.ts'
import { ZONE } from './world.ts'

export interface ComplianceQuestion {
  /** The tester's name for it. */
  readonly name: string
  readonly type: string
  /** Additional arguments of dig. */
  readonly words: string
  /** The EDNS version of the query; undefined: no OPT record. */
  readonly version?: number
  /** Flags of the query that an answer may repeat. */
  readonly mayRepeat?: readonly ('rd' | 'ad' | 'cd')[]
  /** The opcode is not QUERY: the answer is NOTIMP, and only the QR flag has a meaning. */
  readonly isUnknownOpcode?: true
  /** The largest size of the answer. */
  readonly limitOctets?: number
}

const COOKIE = '+cookie=0102030405060708'
const SUBNET = '+subnet=0.0.0.0/0'

type Besides = Partial<ComplianceQuestion>

const plain = (name: string, words = '', besides: Besides = {}): ComplianceQuestion => ({
  name,
  type: 'SOA',
  words: `+noedns ${words}`,
  ...besides,
})
const edns = (name: string, words = '', besides: Besides = {}): ComplianceQuestion => ({
  name,
  type: 'SOA',
  words: `+edns=0 ${words}`,
  version: 0,
  ...besides,
})
const laterEdns = (name: string, words = '', version = 1): ComplianceQuestion => ({
  name,
  type: 'SOA',
  words: `+edns=${version} +noednsneg ${words}`,
  version,
})

const ALL_FLAGS = '+aaflag +tcflag +recurse +raflag +zflag +adflag +cdflag'

export const COMPLIANCE_QUESTIONS: readonly ComplianceQuestion[] = [
  plain('dns'),
  plain('aa', '+aaflag'),
  plain('ad', '+adflag', { mayRepeat: ['ad'] }),
  plain('cd', '+cdflag', { mayRepeat: ['cd'] }),
  plain('ra', '+raflag'),
  plain('rd', '+recurse', { mayRepeat: ['rd'] }),
  plain('tc', '+tcflag'),
  plain('zflag', '+zflag'),
  plain('opcode', '+opcode=15 +header-only', { isUnknownOpcode: true }),
  plain('opcodeflg', `+opcode=15 +header-only ${ALL_FLAGS}`, { isUnknownOpcode: true }),
  plain('type666', '', { type: 'TYPE666' }),
  plain('tcp', '+tcp'),
  edns('edns'),
  laterEdns('edns1'),
  laterEdns('edns100', '', 100),
  edns('edns@512', '+bufsize=512 +ignore', { type: 'DNSKEY', limitOctets: 512 }),
  edns('large@512', '+bufsize=512 +ignore', { type: 'ANY', limitOctets: 512 }),
  edns('ednsopt', '+ednsopt=100'),
  laterEdns('edns1opt', '+ednsopt=100'),
  edns('do', '+dnssec'),
  laterEdns('edns1do', '+dnssec'),
  edns('ednsflags', '+ednsflags=0x80'),
  laterEdns('edns1flags', '+ednsflags=0x80'),
  edns('optlist', `+nsid ${SUBNET} +expire ${COOKIE}`),
  edns(
    'optlist, padded and kept alive',
    `+nsid ${SUBNET} +expire ${COOKIE} +padding=128 +keepalive`,
  ),
  edns('ednsnsid', '+nsid'),
  edns('ednscookie', COOKIE),
  edns('ednsexpire', '+expire'),
  edns('ednssubnet', SUBNET),
  edns('ednspadding', '+padding=128'),
  laterEdns('edns1nsid', '+nsid'),
  laterEdns('edns1cookie', COOKIE),
  laterEdns('edns1expire', '+expire'),
  laterEdns('edns1subnet', SUBNET),
  edns('ednstcp', '+bufsize=512 +dnssec +tcp', { type: 'DNSKEY' }),
  edns('keepalive over TCP', '+tcp +keepalive'),
  edns('bind11', `${COOKIE} +dnssec`),
  edns('dig11', `${COOKIE} +recurse +adflag`, { mayRepeat: ['rd', 'ad'] }),
]

/** The types that the tester queries. The zone has few of them, but no query may be refused. */
export const TYPES_ASKED =
  'A NS MD MF CNAME SOA MB MG MR NULL WKS PTR HINFO MINFO MX TXT RP AFSDB X25 ISDN RT NSAP NSAP-PTR SIG KEY PX GPOS AAAA LOC NXT SRV NAPTR KX CERT A6 DNAME APL DS SSHFP IPSECKEY RRSIG NSEC DNSKEY DHCID NSEC3 NSEC3PARAM TLSA SMIMEA HIP CDS CDNSKEY OPENPGPKEY SPF NID L32 L64 LP EUI48 EUI64 URI CAA DLV TYPE1000'.split(
    ' ',
  )

/** Sends all queries with one dig process. Returns the verdict on each answer, in the order of the queries. */
export async function verdictsOn(
  namespace: Namespace,
  server: string,
  questions: readonly ComplianceQuestion[],
): Promise<(readonly string[])[]> {
  // By default, dig sets AD and sends a cookie. The tester does not.
  const usual = '+norecurse +noadflag +nocookie +time=8 +retry=0'
  const words = questions.flatMap(({ type, words: more }) =>
    `@${server} -q ${ZONE} -t ${type} ${usual} ${more}`.trim().split(/\s+/),
  )
  const printed = await namespace.run('dig', ...words)
  const answers = printed.split(/(?<=^;; MSG SIZE .*$)/m).filter((text) => text.trim() !== '')
  if (answers.length !== questions.length) throw new Error(`an answer is missing:\n${printed}`)
  return questions.map((question, at) => verdictOn(question, answers[at] ?? ''))
}

/** The parts of dig's output that the verdict needs. */
function facts(printed: string) {
  const flagLine = /^;; flags: ?([a-z ]*)(.*)$/m.exec(printed)
  const opt = /^; EDNS: version: (\d+), flags:([a-z ]*);(.*)$/m.exec(printed)
  return {
    rcode: /status: (\w+)/.exec(printed)?.[1] ?? 'no answer',
    flags: flagLine?.[1]?.trim().split(' ') ?? [],
    hasReservedFlag: /^; ?MBZ/.test(flagLine?.[2] ?? ''),
    ednsVersion: opt === null ? undefined : Number(opt[1]),
    hasUnknownEdnsFlag: opt?.[3]?.includes('MBZ') ?? false,
    hasSoa: /\sIN\sSOA\s/.test(/^;; ANSWER SECTION:\n(.*)$/m.exec(printed)?.[1] ?? ''),
    repeatsOption: /^; OPT=100/m.test(printed),
    octets: Number(/^;; MSG SIZE +rcvd: (\d+)$/m.exec(printed)?.[1]),
  }
}

type Facts = ReturnType<typeof facts>

/** Checks RCODE and SOA. */
function* wrongAnswer(question: ComplianceQuestion, found: Facts): Iterable<string> {
  const isLaterVersion = (question.version ?? 0) > 0
  const rcode = question.isUnknownOpcode ? 'NOTIMP' : isLaterVersion ? 'BADVERS' : 'NOERROR'
  if (found.rcode !== rcode) yield found.rcode.toLowerCase()
  if (question.type !== 'SOA') return
  if (rcode === 'NOERROR' && !found.hasSoa) yield 'nosoa'
  if (rcode !== 'NOERROR' && found.hasSoa) yield 'soa'
}

/** Checks the header flags: no flag is copied from the query, and AA is set where it has a meaning. */
function* wrongFlags(question: ComplianceQuestion, { flags, rcode, hasReservedFlag }: Facts) {
  for (const flag of ['rd', 'ad', 'cd'] as const) {
    const mayBe = question.mayRepeat?.includes(flag) === true
    if (flags.includes(flag) && !mayBe) yield flag
  }
  if (question.mayRepeat?.includes('rd') === true && !flags.includes('rd')) yield 'nord'
  if (flags.includes('ra')) yield 'ra'
  if (hasReservedFlag) yield 'z'
  if (rcode === 'NOERROR' && !flags.includes('aa')) yield 'noaa'
  if (question.isUnknownOpcode === true && flags.includes('aa')) yield 'aa'
}

/** Checks the OPT record. */
function* wrongEdns({ version }: ComplianceQuestion, found: Facts): Iterable<string> {
  if (version !== undefined && found.ednsVersion === undefined) yield 'noopt'
  if (version === undefined && found.ednsVersion !== undefined) yield 'opt'
  if ((found.ednsVersion ?? 0) !== 0) yield 'version-not-zero'
  if (found.repeatsOption) yield 'echoed'
  if (found.hasUnknownEdnsFlag) yield 'mbz'
}

/** The errors of an answer, in the tester's words. */
function verdictOn(question: ComplianceQuestion, printed: string): readonly string[] {
  const found = facts(printed)
  const wrong = [
    ...wrongAnswer(question, found),
    ...wrongFlags(question, found),
    ...wrongEdns(question, found),
  ]
  if (found.octets > (question.limitOctets ?? 65_535)) wrong.push('toobig')
  if (/warning: (?!recursion)|malformed/i.test(printed)) wrong.push('malformed')
  return wrong
}
