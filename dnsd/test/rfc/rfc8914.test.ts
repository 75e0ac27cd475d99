import { describe, expect, it } from 'vitest'
import { asking, askingServer, sending } from '../support/ask.ts'
import { optOctets, requestOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const EXTENDED_ERROR = 15
const home = zoneFromText('home.test.', 'alice 60 A 192.0.2.1\ncut 60 NS ns.other.')
const ask = asking(home)
const edns = {}

/** The code of an option without text (RFC 8914 §2). */
function codeOf({ opt }: ReturnType<typeof ask>): number | undefined {
  const content = opt?.options[EXTENDED_ERROR]
  if (content === undefined) return undefined
  expect(content).toHaveLength(4)
  return Number.parseInt(content, 16)
}

describe('RFC 8914 §4.15: Not Ready (14), for a zone that lost changes', () => {
  const incomplete = zoneFromText(
    'lost.test.',
    `@ 60 NS ns1
     ns1 60 A 192.0.2.53
     alice 60 A 192.0.2.1
     a.b 60 A 192.0.2.2
     * 60 A 192.0.2.3
     link 60 CNAME nobody
     way 60 CNAME alice
     cut 60 NS ns.other.
     old 60 DNAME new
     x.new 60 A 192.0.2.4`,
  )
  incomplete.markIncomplete()
  const ask = asking(incomplete)

  it.each([
    ['nobody.lost.test', 'A'],
    ['x.alice.lost.test', 'A'],
    ['link.lost.test', 'A'],
    ['y.old.lost.test', 'A'],
    ['nobody.lost.test', 'ANY'],
  ])('%s %s is unknown: SERVFAIL, not NXDOMAIN, and no wildcard applies', (name, type) => {
    const reply = ask(name, type, { edns })
    expect([reply.rcode, codeOf(reply), reply.flags]).toEqual(['SERVFAIL', 14, 'qr'])
    expect([reply.answer, reply.authority]).toEqual([[], []])
  })

  it.each([
    ['alice.lost.test', 'A', 'NOERROR'],
    ['alice.lost.test', 'AAAA', 'NOERROR'],
    ['b.lost.test', 'A', 'NOERROR'],
    ['*.lost.test', 'A', 'NOERROR'],
    ['way.lost.test', 'A', 'NOERROR'],
    ['x.cut.lost.test', 'A', 'NOERROR'],
    ['x.old.lost.test', 'A', 'NOERROR'],
    ['lost.test', 'SOA', 'NOERROR'],
  ])('%s %s is in it and answered', (name, type, rcode) => {
    const whole = zoneFromText('lost.test.', '')
    whole.apply([...incomplete.owners()], incomplete.version)
    const reply = ask(name, type, { edns })
    expect([reply.rcode, codeOf(reply)]).toEqual([rcode, undefined])
    expect(reply.octets).toEqual(asking(whole)(name, type, { edns }).octets)
  })
})

describe('RFC 8914 §4.21: Not Authoritative (20)', () => {
  it.each(['elsewhere.example', 'test', '.'])('for %s, which is outside all zones here', (name) => {
    const reply = ask(name, 'A', { edns })
    expect([reply.rcode, codeOf(reply)]).toEqual(['REFUSED', 20])
  })

  it('for names of class CH without an answer', () => {
    const reply = ask('version.bind', 'TXT', { edns, qclass: 3 })
    expect([reply.rcode, codeOf(reply)]).toEqual(['REFUSED', 20])
  })
})

describe('RFC 8914 §4.22: Not Supported (21)', () => {
  it.each([
    ['an opcode', { opcode: 2 }, 'A', 'NOTIMP'],
    ['NOTIFY', { opcode: 4 }, 'SOA', 'NOTIMP'],
    ['UPDATE', { opcode: 5 }, 'SOA', 'NOTIMP'],
    ['a class', { qclass: 4 }, 'A', 'REFUSED'],
    ['MAILB', {}, 253, 'NOTIMP'],
    ['MAILA', {}, 254, 'NOTIMP'],
  ])('for %s', (_what, options, type, rcode) => {
    const reply = ask('home.test', type, { ...options, edns })
    expect([reply.rcode, codeOf(reply)]).toEqual([rcode, 21])
  })

  it('for another type at the names of class CH', () => {
    const server = askingServer({ version: 'one' }, home)
    const reply = server('version.bind', 'A', { edns, qclass: 3 })
    expect([reply.rcode, codeOf(reply)]).toEqual(['REFUSED', 21])
  })
})

describe('RFC 8914 §4.19: Prohibited (18)', () => {
  it.each(['AXFR', 'IXFR'])('for %s by clients without access', (type) => {
    const reply = ask('home.test', type, { edns })
    expect([reply.rcode, codeOf(reply)]).toEqual(['REFUSED', 18])
  })
})

describe('RFC 8914 §3: answers that need no explanation have none', () => {
  it.each([
    ['alice.home.test', 'A', 'NOERROR'],
    ['alice.home.test', 'TXT', 'NOERROR'],
    ['nobody.home.test', 'A', 'NXDOMAIN'],
    ['x.cut.home.test', 'A', 'NOERROR'],
    ['alice.home.test', 'OPT', 'FORMERR'],
  ])('%s %s is %s', (name, type, rcode) => {
    const reply = ask(name, type, { edns })
    expect([reply.rcode, reply.opt?.optionCount]).toEqual([rcode, 0])
  })

  it('nor do clients without OPT get one', () => {
    const reply = ask('elsewhere.example', 'A')
    expect([reply.rcode, reply.opt, reply.octets.length]).toEqual([
      'REFUSED',
      undefined,
      requestOctets('elsewhere.example', 'A').length,
    ])
  })

  it('nor is it echoed', () => {
    const options = Buffer.from([0, EXTENDED_ERROR, 0, 2, 0, 3])
    const packet = requestOctets('alice.home.test', 'A', { additional: [optOctets({ options })] })
    expect(sending(home)(packet)?.opt?.optionCount).toBe(0)
  })
})
