/*
 * Random zones and queries with few labels, so that names coincide: aliases, cuts, redirections, wildcards, names
 * without records, letter case, and requests with every unusual feature.
 */
import * as fc from 'fast-check'
import { nameFromText, rdataFromText, TYPE, typeFromText } from '../../src/names/index.ts'
import type { RRset, SoaParameters } from '../../src/zone/index.ts'
import { recordOctets, requestOctets, uint16 } from './request-octets.ts'

export const ORIGIN = nameFromText('home.test.')
// A zone cut that is served here too, although the parent zone has no NS records for it.
export const CHILD = nameFromText('a.home.test.')

const LONG = 'x'.repeat(63)
// Few labels, so that names coincide. Two of them have octets that text must escape.
const LABELS = ['a', 'b', 'c', 'ns1', 'hostmaster', '*', LONG, 'd.e', '\xff\xc0'].map((text) =>
  Buffer.from(text, 'latin1'),
)

const UNKNOWN = Buffer.from('zz')

export function below(labels: readonly Buffer[], apex: Buffer): Buffer {
  const wire = Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
    apex,
  ])
  return wire.length > 255 ? apex : wire
}

function rrset(type: string, ...texts: string[]): RRset {
  const number = typeFromText(type)
  const rdata = texts.map((text) => rdataFromText(number, text, ORIGIN))
  return { type: number, ttlSeconds: 60 * texts.length, rdata }
}

const manyTexts = (count: number) =>
  rrset('TXT', ...Array.from({ length: count }, (_, n) => `"${String(n).repeat(100)}"`))

const SHA256 = 'ab'.repeat(32)
const STATES: readonly (readonly RRset[])[] = [
  [],
  [rrset('A', '192.0.2.1')],
  [rrset('A', '192.0.2.1', '192.0.2.2', '192.0.2.3'), rrset('AAAA', '2001:db8::1')],
  [rrset('TXT', '"one" "two"'), rrset('A', '192.0.2.4'), rrset('CAA', '0 issue "ca.test"')],
  [manyTexts(4)],
  [manyTexts(11), rrset('TYPE4711', String.raw`\# 3 010203`)],
  [rrset('TLSA', `3 1 1 ${SHA256}`), rrset('SSHFP', `4 2 ${SHA256}`), rrset('PTR', 'b')],
  [rrset('CNAME', 'b')],
  [rrset('CNAME', 'elsewhere.example.')],
  [rrset('NS', 'ns1', 'ns1.a')],
  [rrset('NS', 'ns.elsewhere.example.'), rrset('DS', `1 13 2 ${SHA256}`)],
  [rrset('DNAME', 'c')],
  [rrset('MX', '10 a', '20 b'), rrset('SRV', '1 2 3 a'), rrset('HTTPS', '1 . alpn=h2')],
]

const labels = fc.array(fc.constantFrom(...LABELS), { maxLength: 4 })
const stateAt = (apex: Buffer) =>
  fc.record({
    owner: labels.map((some) => below(some, apex)),
    // Half of them are plain. Otherwise almost every name would have an alias or a cut above it.
    rrsets: fc.oneof(fc.constantFrom(...STATES.slice(0, 4)), fc.constantFrom(null, ...STATES)),
  })
const changes = (apex: Buffer) => fc.array(stateAt(apex), { maxLength: 12 })

const soaName = (apex: Buffer) =>
  fc.oneof(
    fc.constantFrom('.', 'test.', 'ns1.elsewhere.example.').map((text) => nameFromText(text)),
    labels.map((some) => below(some.slice(0, 2), apex)),
  )
const soaOf = (apex: Buffer): fc.Arbitrary<SoaParameters> =>
  fc.record({
    mname: soaName(apex),
    rname: soaName(apex),
    refreshSeconds: fc.constant(3600),
    retrySeconds: fc.constant(600),
    expireSeconds: fc.constant(1_209_600),
    minimumSeconds: fc.constantFrom(60, 7200),
    ttlSeconds: fc.constantFrom(30, 3600),
  })

/** The contents of a zone in each of its versions. */
export const contents = (apex: Buffer) =>
  fc.record({
    soa: soaOf(apex),
    versions: fc.array(changes(apex), { minLength: 1, maxLength: 3 }),
  })

const QTYPES = [
  ...Array.from({ length: 20 }, () => TYPE.A),
  ...['AAAA', 'TXT', 'TXT', 'TXT', 'CAA', 'TLSA', 'SSHFP', 'TYPE4711'].map(typeFromText),
  ...['NS', 'SOA', 'CNAME', 'DNAME', 'MX', 'SRV', 'PTR', 'DS', 'HTTPS'].map(typeFromText),
  ...['ANY', 'AXFR', 'OPT', 'TYPE0', 'TYPE254', 'TYPE65535'].map(typeFromText),
]

/** Usually the first value. */
const mostly = <T>(usual: T, ...rare: T[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, fc.constantFrom(usual, ...rare))

/** One question with every unusual feature. */
export const question = fc.record({
  name: fc
    .tuple(
      fc.array(fc.constantFrom(...LABELS, UNKNOWN), { maxLength: 4 }),
      mostly(ORIGIN, CHILD, nameFromText('test.'), Buffer.from([0])),
    )
    .map(([some, apex]) => below(some, apex)),
  /** Which letters are upper case. */
  pattern: fc.maxSafeNat(),
  type: fc.constantFrom(...QTYPES),
  flags: fc.oneof(mostly(0, 0x0100, 0x0110, 0x0010, 0x0070, 0x8000, 0x2000), fc.nat(0x7ff)),
  qclass: mostly(1, 3, 255),
  edns: fc.option(
    fc.record({
      payloadBytes: fc.constantFrom(0, 511, 512, 600, 1231, 1232, 4096, 65_535),
      version: mostly(0, 1),
      flags: fc.constantFrom(0, 0x8000, 0x4000, 0xffff),
      options: mostly(Buffer.alloc(0), Buffer.from([0, 3, 0, 0]), Buffer.from([0])),
    }),
  ),
  trailing: mostly(Buffer.alloc(0), Buffer.from([0]), Buffer.alloc(11)),
  records: mostly<Buffer[]>([], [recordOctets(ORIGIN, TYPE.A, {}, Buffer.alloc(4))]),
})
export type Question = typeof question extends fc.Arbitrary<infer T> ? T : never

/** @param pattern each of its bits makes the letter at its place upper case, repeatedly */
function inMixedCase(name: Buffer, pattern: number): Buffer {
  const mixed = Buffer.from(name)
  for (const [at, octet] of name.entries()) {
    const isLetter = octet >= 0x61 && octet <= 0x7a
    if (isLetter && Math.floor(pattern / 2 ** (at % 53)) % 2 === 1) mixed[at] = octet - 0x20
  }
  return mixed
}

function packetOf({ name, type, flags, qclass, edns, trailing, records }: Question): Buffer {
  const request = requestOctets(name, type, {
    qclass,
    edns: edns ?? undefined,
    additional: records,
  })
  uint16(flags).copy(request, 2)
  return Buffer.concat([request, trailing])
}

/** The queries, and similar ones about names that were just published and names below them. */
export function packetsOf(
  questions: readonly Question[],
  states: readonly { owner: Buffer }[],
): Buffer[] {
  return questions.flatMap((one, turn) => {
    const { owner = ORIGIN } = states[turn % Math.max(1, states.length)] ?? {}
    const encloser = owner[0] === 1 && owner[1] === 0x2a ? owner.subarray(2) : owner
    const names = [one.name, owner, below([UNKNOWN], encloser)]
    return names.map((name) => packetOf({ ...one, name: inMixedCase(name, one.pattern) }))
  })
}
