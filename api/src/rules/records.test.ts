/** Owner names, types, values and TTLs of records: what is read, and what is refused with which words. */
import { expect, test } from 'vitest'
import { Refusal } from './errors.ts'
import { parseRecordValues } from './records-values.ts'
import { parseRecordOwner, parseRecordType, recordTtl } from './records.ts'
import { typeToText } from '@homing/dnsd/names'

const PLACE = 'home.example.net'

/** The first field and the message of a refusal. */
function refusal(run: () => unknown): [string | undefined, string] {
  try {
    run()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'record-not-allowed') throw error
    return [error.faults[0]?.field, error.message]
  }
  throw new Error('nothing was refused')
}

test.each([
  ['@', PLACE],
  ['www', `www.${PLACE}`],
  ['_443._tcp.WWW', `_443._tcp.www.${PLACE}`],
  [PLACE, PLACE],
  [`${PLACE}.`, PLACE],
  [`a.${PLACE.toUpperCase()}`, `a.${PLACE}`],
  ['a.b.c.d.e.f', `a.b.c.d.e.f.${PLACE}`],
  ['other.example', `other.example.${PLACE}`],
  ['*', `*.${PLACE}`],
  ['0/25', `0/25.${PLACE}`],
  [' www ', `www.${PLACE}`],
  [String.raw`\119ww`, `www.${PLACE}`],
])('the owner %s is %s', (text, owner) => {
  expect(parseRecordOwner(text, PLACE)).toBe(owner)
})

test.each([
  ['www.example.com.', 'not at or below'],
  ['example.net.', 'not at or below'],
  ['.', 'not at or below'],
  ['xhome.example.net.', 'not at or below'],
  ['a..b', 'empty label'],
  ['a.*', 'star inside'],
  ['w*w', 'star inside'],
  [String.raw`a\.b`, 'letters, digits'],
  [String.raw`a\000b`, 'letters, digits'],
  ['a b', 'must be written as'],
  ['müller', 'A-labels'],
  [String.raw`a\999`, 'backslash'],
  ['a'.repeat(64), 'longer than 63'],
  [`${'a.'.repeat(125)}a`, 'longer than 253'],
  ['a$b', 'letters, digits'],
  [`${'a.'.repeat(32)}a`, 'more than 32 labels'],
])('the owner %s is refused: %s', (text, words) => {
  const [field, message] = refusal(() => parseRecordOwner(text, PLACE))
  expect(field).toBe('owner')
  expect(message).toContain(words)
})

test.each([
  ['txt', 'TXT'],
  ['TYPE16', 'TXT'],
  ['type5', 'CNAME'],
  ['TYPE1', 'A'],
  ['TYPE65280', 'TYPE65280'],
  ['NAPTR', 'NAPTR'],
  ['TYPE35', 'NAPTR'],
])('the type %s is %s', (text, type) => {
  expect(typeToText(parseRecordType(text))).toBe(type)
})

test.each([
  ['SOA', 'SOA record of each zone'],
  ['TYPE6', 'SOA records cannot be created'],
  ['DNAME', 'CNAME record for each name'],
  ...[
    'DS',
    'DNSKEY',
    'RRSIG',
    'NSEC',
    'NSEC3',
    'NSEC3PARAM',
    'CDS',
    'CDNSKEY',
    'TYPE43',
    'TYPE24',
  ].map((type) => [type, 'does not sign']),
  ['TYPE63', 'ZONEMD'],
  ...['ANY', 'AXFR', 'IXFR', 'OPT', 'TSIG', 'TKEY', 'TYPE0', 'TYPE128', 'TYPE255', 'TYPE65535'].map(
    (type) => [type, 'a type of queries'],
  ),
  ['TYPE65536', 'not a record type'],
  ['TYPE-1', 'not a record type'],
  ['', 'not a record type'],
  ['NOSUCH', 'not a record type'],
  ['*', 'not a record type'],
])('the type %s is refused: %s', (text, words) => {
  const [field, message] = refusal(() => parseRecordType(text ?? ''))
  expect(field).toBe('type')
  expect(message).toContain(words)
})

const read = (type: string, values: readonly string[], owner = `x.${PLACE}`) =>
  parseRecordValues({ owner, type: parseRecordType(type), values }, 'any')

const LONG = 'x'.repeat(300)

test.each([
  ['TXT', 'v=spf1 a -all', '"v=spf1 a -all"'],
  ['TXT', '"one" "two"', '"one" "two"'],
  ['TXT', 'say "hi"; (now)', String.raw`"say \"hi\"; (now)"`],
  ['TXT', 'back\\slash', String.raw`"back\\slash"`],
  ['TXT', LONG, `"${LONG.slice(0, 255)}" "${LONG.slice(255)}"`],
  ['TXT', 'é', String.raw`"\195\169"`],
  ['TXT', '""', '""'],
  ['TXT', String.raw`\# 2 0161`, '"a"'],
  ['CNAME', 'Target.Example.COM', 'Target.Example.COM.'],
  ['CNAME', 'www.example.com.', 'www.example.com.'],
  ['CNAME', 'localhost.', 'localhost.'],
  ['MX', '10 mail.example.com', '10 mail.example.com.'],
  ['MX', '0 .', '0 .'],
  ['CAA', '0 issue "ca.example.net"', '0 issue "ca.example.net"'],
  ['SRV', '0 5 5060 sip.example.com', '0 5 5060 sip.example.com.'],
  ['SRV', '0 0 0 .', '0 0 0 .'],
  ['NS', 'ns1.example.com', 'ns1.example.com.'],
  ['SSHFP', `4 2 ${'ab'.repeat(32)}`, `4 2 ${'AB'.repeat(32)}`],
  ['TLSA', `3 1 1 ${'0f'.repeat(32)}`, `3 1 1 ${'0F'.repeat(32)}`],
  ['HTTPS', '1 . alpn=h2', '1 . alpn="h2"'],
  ['SVCB', '1 svc.example.com port=8443', '1 svc.example.com. port=8443'],
  ['PTR', 'home.example.com', 'home.example.com.'],
  ['TYPE65280', String.raw`\# 3 abcdef`, String.raw`\# 3 ABCDEF`],
  ['TYPE65280', String.raw`\# 0`, String.raw`\# 0`],
  ['A', '203.0.113.53', '203.0.113.53'],
  ['AAAA', '2001:DB8::0:53', '2001:db8::53'],
])('a %s record with the value %s is %s', (type, value, text) => {
  expect(read(type, [value])).toEqual([text])
})

test.each([
  ['CNAME', 'localhost', 'needs a final dot'],
  ['MX', '10 mail', 'needs a final dot'],
  ['MX', '10 @', 'needs a final dot'],
  ['MX', 'mail.example.com', 'preference'],
  ['MX', '65536 mail.example.com', 'MX'],
  ['CNAME', 'a.example.com b.example.com', 'ends before'],
  ['CNAME', 'a..b', 'empty label'],
  ['TXT', '"open', 'quote'],
  ['TXT', `"${'x'.repeat(256)}"`, '255'],
  ['CAA', '0 issue ca.example.net; x', 'quotes'],
  ['SSHFP', '4 2 xyz', 'hexadecimal'],
  ['SSHFP', `4 2 abc`, 'hexadecimal'],
  ['TLSA', '3 1 1', 'TLSA'],
  ['HTTPS', '1 . alpn=h2 alpn=h3', 'alpn'],
  ['HTTPS', '0 . alpn=h2', 'HTTPS'],
  ['SRV', '0 0 70000 a.example.com', 'SRV'],
  ['TYPE65280', 'text', String.raw`\#`],
  ['TYPE65280', String.raw`\# 2 ab`, 'announces 2'],
  ['MX', String.raw`\# 3 000A00FF`, '4 follow'],
  ['MX', String.raw`\# 2 000A`, 'MX'],
  ['MX', '10 192.0.2.1', '192.0.2.1 is an address. Expected a host name'],
  ['CNAME', '192.0.2.1.', 'is an address'],
  ['SRV', '0 5 5060 192.0.2.1', 'is an address'],
  ['A', '256.1.1.1', 'A'],
  ['A', '2001:db8::1', 'A'],
])('a %s record with the value %s is refused: %s', (type, value, words) => {
  const [field, message] = refusal(() => read(type, [value]))
  expect(field).toBe('values.0')
  expect(message).toContain(words)
})

test('values that are the same record are refused', () => {
  expect(refusal(() => read('MX', ['10 a.example.com', '10 A.example.COM.']))).toEqual([
    'values.1',
    'Value 2 is the same record as value 1. Remove one of them.',
  ])
  expect(read('TXT', ['a', 'A'])).toHaveLength(2)
})

test('the MX value that says that there is no mail stands alone', () => {
  expect(refusal(() => read('MX', ['10 a.example.com', '0 .']))).toEqual([
    'values.1',
    expect.stringContaining('receives no mail, so it must be the only value'),
  ])
})

test('a CNAME record has one value, and does not point to itself', () => {
  const [field, message] = refusal(() => read('CNAME', ['a.example.com', 'b.example.com']))
  expect([field, message]).toEqual(['values', expect.stringContaining('only one CNAME')])
  for (const type of ['CNAME', 'NS']) {
    const itself = refusal(() => read(type, [`X.${PLACE}`]))
    expect(itself).toEqual(['values.0', expect.stringContaining('itself')])
  }
})

test('values fit into one DNS message', () => {
  const octets = (count: number) => `\\# ${count} ${'00'.repeat(count)}`
  expect(refusal(() => read('TYPE65280', [octets(65_535)]))[1]).toContain('maximum is 65535')
  const name = 1 + 'x'.length + 1 + PLACE.length + 1
  const room = 65_535 - (12 + 4 + 11) - name - 12
  expect(read('TYPE65280', [octets(room)])).toHaveLength(1)
  expect(refusal(() => read('TYPE65280', [octets(room + 1)]))[0]).toBe('values')
  const many = Array.from({ length: 101 }, (_, n) => `text ${n}`)
  expect(refusal(() => read('TXT', many))[1]).toContain('at most 100')
})

test('the name servers of a delegation have public addresses, if the service requires them', () => {
  const type = parseRecordType('A')
  const values = ['10.0.0.1']
  const [field] = refusal(() => parseRecordValues({ owner: PLACE, type, values }, 'public'))
  expect(field).toBe('values.0')
})

test.each([
  [undefined, 60, 3600],
  [undefined, 7200, 7200],
  [60, 60, 60],
  [604_800, 60, 604_800],
])('the TTL %s of a plan with %i is %i', (ttl, minimum, seconds) => {
  expect(recordTtl(ttl, minimum)).toBe(seconds)
})

test.each([
  [59, 'too short'],
  [604_801, 'too long'],
])('the TTL %i is %s', (ttl, words) => {
  expect(refusal(() => recordTtl(ttl, 60))).toEqual(['ttl', expect.stringContaining(words)])
})
