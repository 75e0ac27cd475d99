import { describe, expect, it } from 'vitest'
import { nameFromText } from '../../src/names/index.ts'
import { asking, askingServer } from '../support/ask.ts'
import { questionOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const CH = { qclass: 3 }
const home = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
const NAMES = ['version.bind', 'version.server', 'id.server', 'hostname.bind']

describe('RFC 4892 §2: names of the server in class CH', () => {
  const ask = askingServer({ identity: 'ns1.example.net', version: 'one' }, home)

  it.each([
    ['version.bind', 'one'],
    ['version.server', 'one'],
    ['id.server', 'ns1.example.net'],
    ['hostname.bind', 'ns1.example.net'],
    ['ID.Server', 'ns1.example.net'],
  ])('%s is answered with the configured text', (name, text) => {
    for (const [type, transport] of [
      ['TXT', 'udp'],
      ['TXT', 'tcp'],
      ['ANY', 'udp'],
    ] as const) {
      const reply = ask(name, type, { ...CH, transport })
      expect([reply.rcode, reply.flags]).toEqual(['NOERROR', 'qr aa'])
      expect(reply.answer).toEqual([`${name} 0 TXT "${text}"`])
      expect([reply.authority, reply.additional]).toEqual([[], []])
    }
  })

  it('in a record of class CH', () => {
    const { octets } = ask('id.server', 'TXT', CH)
    const recordAt = 12 + questionOctets('id.server', 'TXT').length
    expect(octets.subarray(recordAt, recordAt + 6)).toEqual(Buffer.from([0xc0, 12, 0, 16, 0, 3]))
  })

  it('longer texts are several strings', () => {
    const long = askingServer({ version: `${'a'.repeat(255)}${'b'.repeat(5)}` }, home)
    const reply = long('version.bind', 'TXT', { ...CH, edns: {} })
    expect(reply.answer).toEqual([`version.bind 0 TXT "${'a'.repeat(255)}" "${'b'.repeat(5)}"`])
  })

  it.each([
    ['another type', 'id.server', 'A'],
    ['a name below', 'x.id.server', 'TXT'],
    ['a name above', 'server', 'TXT'],
    ['another name', 'authors.bind', 'TXT'],
    ['a name of a zone of class IN', 'alice.home.test', 'A'],
  ])('%s is refused', (_what, name, type) => {
    const reply = ask(name, type, CH)
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['REFUSED', 'qr', []])
  })

  it.each(NAMES)('%s does not exist in class IN', (name) => {
    expect(ask(name, 'TXT').rcode).toBe('REFUSED')
  })

  it.each(['AXFR', 'IXFR'])('%s is refused', (type) => {
    expect(ask('id.server', type, CH).rcode).toBe('REFUSED')
  })
})

describe('RFC 4892 §3: an operator can hide it', () => {
  it.each([...NAMES, 'authors.bind'])('%s is refused when it is not configured', (name) => {
    const reply = asking(home)(name, 'TXT', CH)
    expect([reply.rcode, reply.flags, reply.questions]).toEqual(['REFUSED', 'qr', 1])
    expect([reply.answer, reply.authority, reply.additional]).toEqual([[], [], []])
  })

  it('each of the two separately', () => {
    const nameOnly = askingServer({ identity: 'ns1' }, home)
    expect(nameOnly('id.server', 'TXT', CH).rcode).toBe('NOERROR')
    expect(nameOnly('version.bind', 'TXT', CH).rcode).toBe('REFUSED')
    const versionOnly = askingServer({ version: 'one' }, home)
    expect(versionOnly('id.server', 'TXT', CH).rcode).toBe('REFUSED')
    expect(versionOnly('version.server', 'TXT', CH).rcode).toBe('NOERROR')
  })

  it('a name with a dot in a label is a different one', () => {
    const ask = askingServer({ version: 'one' }, home)
    expect(ask(nameFromText('version\\.bind.'), 'TXT', CH).rcode).toBe('REFUSED')
  })
})
