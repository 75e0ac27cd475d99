import { rdataFromText, typeFromText } from '@homing/dnsd/names'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { homing } from './support.ts'

const RCODES = { 'gone.test': 3, 'foreign.test': 5, 'broken.test': 2 } as const

// An OPT record with extended error 14 and a text (RFC 8914).
const NOT_READY = Buffer.concat([
  Buffer.from([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 14, 0, 15, 0, 10, 0, 14]),
  Buffer.from('starting'),
])

/** Answers any A question with two addresses, except for the names above and `empty.test`. */
function reply(question: Buffer): Buffer {
  const name: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    name.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const end = at + 5
  // The letter case of a question is random.
  const text = name.join('.').toLowerCase()
  const rcode: number = RCODES[text as keyof typeof RCODES] ?? 0
  if (text === 'typed.test') return typedReply(question.subarray(0, end))
  if (text === 'odd.test') return oddText(question.subarray(0, end))
  const addresses = rcode === 0 && text !== 'empty.test' ? [20, 10] : []
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8400 | rcode, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt16BE(rcode === 2 ? 1 : 0, 10)
  const records = addresses.map((last) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, last]),
  )
  const opt = rcode === 2 ? [NOT_READY] : []
  return Buffer.concat([header, question.subarray(12, end), ...records, ...opt])
}

/** A value for each of these types, at `typed.test`. */
const VALUES = {
  CAA: '0 issue "letsencrypt.org"',
  HTTPS: '1 . alpn="h2,h3"',
  SSHFP: `4 2 ${'ab'.repeat(32)}`,
  SVCB: '1 dns.example. alpn="dot"',
  TLSA: `3 1 1 ${'cd'.repeat(32)}`,
  AAAA: '2001:db8::7',
  MX: '10 mail.example.com',
  TXT: '"v=spf1 -All"',
} as const

function typedReply(question: Buffer): Buffer {
  const number = question.readUInt16BE(question.length - 4)
  const [type, value = ''] =
    Object.entries(VALUES).find(([name]) => typeFromText(name) === number) ?? []
  if (type === undefined) throw new Error(`no value of type ${number}`)
  const rdata = rdataFromText(number, value, Uint8Array.of(0))
  const answer = Buffer.from(question)
  answer.writeUInt16BE(0x8400, 2)
  answer.writeUInt16BE(1, 6)
  answer.writeUInt16BE(0, 10)
  const record = Buffer.from([0xc0, 12, 0, 0, 0, 1, 0, 0, 0, 60, 0, 0])
  record.writeUInt16BE(number, 2)
  record.writeUInt16BE(rdata.length, 10)
  return Buffer.concat([answer, record, rdata])
}

/** A text with a control character of ISO 6429: CSI in one octet, which terminals obey. */
function oddText(question: Buffer): Buffer {
  const answer = Buffer.from(question)
  answer.writeUInt16BE(0x8400, 2)
  answer.writeUInt16BE(1, 6)
  answer.writeUInt16BE(0, 10)
  const record = [0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 5, 4, 0x9b, 0x32, 0x4a, 0x61]
  return Buffer.concat([answer, Buffer.from(record)])
}

let socket: Socket
beforeEach(async () => {
  socket = createSocket('udp4', (message, from) =>
    socket.send(reply(message), from.port, from.address),
  )
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
})
afterEach(() => socket.close())

const resolveAt = (port: number, ...args: string[]) =>
  homing(['resolve', ...args, '--nameserver', `127.0.0.1:${port}`])
const resolve = (...args: string[]) => resolveAt(socket.address().port, ...args)

test('one record per line, sorted', async () => {
  expect(await resolve('home.test')).toEqual({
    exitCode: 0,
    stdout: '192.0.2.10\n192.0.2.20\n',
    stderr: '',
  })
})

test.each(Object.entries(VALUES))('a %s record as a zone file writes it', async (type, value) => {
  expect(await resolve('typed.test', '--type', type)).toEqual({
    exitCode: 0,
    stdout: `${value}\n`,
    stderr: '',
  })
})

test('--json', async () => {
  expect(JSON.parse((await resolve('home.test', '--json')).stdout)).toEqual({
    name: 'home.test',
    type: 'A',
    records: ['192.0.2.10', '192.0.2.20'],
  })
})

test('a record cannot control the terminal', async () => {
  const { exitCode, stdout } = await resolve('odd.test', '--type', 'TXT')
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/2Ja"\n$/)
  expect(stdout).not.toMatch(/[\u0080-\u009f]/)
})

test('--expect decides', async () => {
  expect((await resolve('home.test', '--expect', '192.0.2.20')).exitCode).toBe(0)
  const ended = await resolve('home.test', '--expect', '192.0.2.30')
  expect(ended.exitCode).toBe(1)
  expect(ended.stderr).toBe('home.test has 192.0.2.10, 192.0.2.20, not 192.0.2.30.\n')
})

test.each([
  ['AAAA', '2001:DB8:0:0::7'],
  ['MX', '10 mail.example.com.'],
  ['mx', '10 MAIL.example.com'],
  ['TXT', 'v=spf1 -All'],
  ['TXT', '"v=spf1 -All"'],
  ['CAA', '0 issue letsencrypt.org'],
])('--expect takes a %s record in another form: %s', async (type, record) => {
  const ended = await resolve('typed.test', '--type', type, '--expect', record)
  expect([ended.exitCode, ended.stderr]).toEqual([0, ''])
})

test.each([
  ['TXT', 'v=spf1 -all'],
  ['MX', '20 mail.example.com'],
  ['MX', 'mail.example.com'],
])('--expect %s %s is another record', async (type, record) => {
  expect(await resolve('typed.test', '--type', type, '--expect', record)).toMatchObject({
    exitCode: 1,
  })
})

test.each([
  ['gone.test', 5, 'gone.test does not exist (NXDOMAIN).\n'],
  ['empty.test', 5, 'empty.test exists, but has no record of type A.\n'],
  ['foreign.test', 8, /^foreign\.test is not in a zone of the name server/],
])('%s ends with %i', async (name, exitCode, stderr) => {
  const ended = await resolve(name)
  expect(ended).toMatchObject({ exitCode, stdout: '' })
  expect(ended.stderr).toMatch(stderr)
})

test('a failure of the name server says which one', async () => {
  expect(await resolve('broken.test')).toMatchObject({
    exitCode: 1,
    stderr: 'broken.test could not be looked up (SERVFAIL, extended error 14 starting).\n',
  })
})

test('a server that does not answer is named', async () => {
  const { port } = socket.address()
  socket.close()
  const ended = await resolveAt(port, 'home.test')
  expect(ended.exitCode).toBe(7)
  expect(ended.stderr).toMatch(
    new RegExp(`^127\\.0\\.0\\.1:${port} cannot be reached: .*ECONNREFUSED`),
  )
  socket = createSocket('udp4')
})

test.each([['a..test'], ['x'.repeat(64)]])('%s is not a name', async (name) => {
  expect(await resolve(name)).toMatchObject({
    exitCode: 64,
    stderr: expect.stringMatching(/^The name /),
  })
})

test.each([
  [['home.test', '--nameserver', 'here'], /--nameserver takes an address and a port/],
  [['home.test', '--type', 'NOPE'], /^--type takes one of A, .*, not "NOPE"/],
  [[], /^NAME is missing: the full name\. See homing resolve --help/],
])('%j is a mistake', async (args, line) => {
  const ended = await homing(['resolve', ...args])
  expect(ended).toMatchObject({ exitCode: 64, stdout: '' })
  expect(ended.stderr).toMatch(line)
})
