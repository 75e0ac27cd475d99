/** Values that an attacker or a broken client could send. */

const NO_TEXT: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  [],
  [[]],
  {},
  [null],
  ['a'],
  { $ne: null },
  { length: 1 },
  { toString: 'x' },
  { constructor: 1 },
]

const CHARACTERS = ['', ' ', '\t', '\n', '\r\n', '\0', 'a\0b', '\u001b[31m', '\u202e', '\ufeff']
const HALVES_OF_PAIRS = ['\ud800', '\udfff', 'a\ud83d']
const WORDS = ['null', 'undefined', 'NaN', 'Infinity', 'true', '[object Object]', '0x7f', '1e9']
const QUOTING = [`'`, `"`, '`', ';', '--', '%', '%00', '%s%s%n', '$1', '?', '??', ':name', '\\']
const SQL = [`' or '1'='1`, `'; drop table users; --`, '1) union select * from users --']
const SHELL = ['$(reboot)', '`id`', '| cat /etc/passwd', String.raw`\u0000`]
const PLACES = ['../../etc/passwd', 'file:///etc/passwd', 'http://169.254.169.254/', '//evil.test']
const MARKUP = ['<script>alert(1)</script>', '{{7*7}}', '${7*7}', '=1+1', 'javascript:alert(1)']
const HEADERS = ['a@b.test\r\nbcc: c@d.test', 'x\r\nset-cookie: a=b']
const LONG = ['x'.repeat(300), 'x'.repeat(50_000), '😀'.repeat(500), `${'a'.repeat(63)}.`.repeat(5)]
const NAMES = [
  '.',
  '..',
  'a..b',
  '-a',
  '_a',
  '*',
  '*.homing.test',
  'homing.test',
  'xn--',
  'a'.repeat(64),
]
const ADDRESSES = [
  '127.1',
  '0x7f.1',
  '::',
  'fe80::1%eth0',
  '::ffff:192.0.2.1',
  '192.0.2.1/32',
  '1.2.3.4.5',
]

export const HOSTILE: readonly unknown[] = [
  NO_TEXT,
  CHARACTERS,
  HALVES_OF_PAIRS,
  WORDS,
  QUOTING,
  SQL,
  SHELL,
  PLACES,
  MARKUP,
  HEADERS,
  LONG,
  NAMES,
  ADDRESSES,
].flat(1)

/** The values that a URL can contain. */
export const HOSTILE_TEXTS: readonly string[] = HOSTILE.map((value) =>
  typeof value === 'string' ? value : JSON.stringify(value),
).filter((text) => text.isWellFormed() && text.length < 10_000)
