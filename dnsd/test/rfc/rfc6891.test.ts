import { describe, expect, it } from 'vitest'
import { asking, sending } from '../support/ask.ts'
import { headerOctets, optOctets, questionOctets, recordOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const home = zoneFromText(
  'home.test.',
  `alice 60 A 192.0.2.1\n${Array.from({ length: 90 }, (_, n) => `big 60 A 192.0.2.${n}`).join('\n')}`,
)
const ask = asking(home)
const send = sending(home)

describe('RFC 6891 §6.1.1: one OPT record', () => {
  it('is answered with one', () => {
    expect(ask('alice.home.test', 'A', { edns: {} }).opt).toEqual({
      payloadBytes: 1232,
      version: 0,
      dnssecOk: false,
      flags: 0,
      optionCount: 0,
      options: {},
    })
  })

  it('is not sent to clients that sent none', () => {
    expect(ask('alice.home.test', 'A').opt).toBeUndefined()
  })

  it.each(['nobody.home.test', 'elsewhere.example', 'alice.home.test'])(
    'is in the answer for %s whatever its code',
    (name) => {
      expect(ask(name, 'TXT', { edns: {} }).opt).toBeDefined()
    },
  )

  it('FORMERR for two of them', () => {
    const reply = ask('alice.home.test', 'A', { edns: {}, additional: [optOctets({})] })
    expect([reply.rcode, reply.answer]).toEqual(['FORMERR', []])
  })

  it('FORMERR for one that is not owned by the root', () => {
    const opt = recordOctets(Buffer.from([1, 97, 0]), 41, { rclass: 1232 }, Buffer.alloc(0))
    expect(ask('alice.home.test', 'A', { additional: [opt] }).rcode).toBe('FORMERR')
  })

  it('FORMERR for one in another section', () => {
    for (const counts of [
      [1, 1, 0, 0],
      [1, 0, 1, 0],
    ] as const) {
      const question = questionOctets('alice.home.test', 'A')
      const reply = send(Buffer.concat([headerOctets({}, counts), question, optOctets({})]))
      expect(reply?.rcode).toBe('FORMERR')
    }
  })

  it('may be before or after other additional records', () => {
    const other = recordOctets(Buffer.from([0]), 1, {}, Buffer.alloc(4))
    expect(ask('alice.home.test', 'A', { edns: {}, additional: [other] }).opt).toBeDefined()
    expect(ask('alice.home.test', 'A', { additional: [other, optOctets({})] }).opt).toBeDefined()
  })
})

describe('RFC 6891 §6.1.2: options', () => {
  it.each([
    ['unknown', [0xff, 0xfe, 0, 2, 1, 2]],
    ['NSID, of a server without a name', [0, 3, 0, 0]],
    ['a cookie, of a server without secrets', [0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8]],
    ['an expiry time', [0, 9, 0, 0]],
    ['padding', [0, 12, 0, 3, 0, 0, 0]],
    ['a key tag', [0, 14, 0, 2, 0x4f, 0x66]],
    ['a report channel', [0, 18, 0, 0]],
    ['a client subnet', [0, 8, 0, 7, 0, 1, 24, 0, 192, 0, 2]],
  ])('%s: ignored and not echoed', (_what, octets) => {
    const reply = ask('alice.home.test', 'A', { edns: { options: Buffer.from(octets) } })
    expect([reply.rcode, reply.answer.length, reply.opt?.optionCount]).toEqual(['NOERROR', 1, 0])
  })

  it.each([
    ['an option cut off', [0, 3, 0, 9, 1]],
    ['half a code', [0]],
    ['octets after the last', [0, 3, 0, 0, 0, 0, 0]],
  ])('§7: FORMERR with an OPT record for %s', (_what, octets) => {
    const reply = ask('alice.home.test', 'A', { edns: { options: Buffer.from(octets) } })
    expect([reply.rcode, reply.answer, reply.opt?.version]).toEqual(['FORMERR', [], 0])
  })
})

describe('RFC 6891 §6.1.3: version and flags', () => {
  it.each([1, 2, 100, 255])('version %i is BADVERS, with the supported version', (version) => {
    const reply = ask('alice.home.test', 'A', { edns: { version } })
    expect([reply.rcode, reply.answer, reply.authority]).toEqual(['BADVERS', [], []])
    expect([reply.opt?.version, reply.flags, reply.questions]).toEqual([0, 'qr', 1])
  })

  it('options of another version are ignored', () => {
    const edns = { version: 1, options: Buffer.from([1, 2, 3]) }
    expect(ask('alice.home.test', 'A', { edns }).rcode).toBe('BADVERS')
  })

  it('unknown flags are ignored and not echoed', () => {
    const reply = ask('alice.home.test', 'A', { edns: { flags: 0x7fff } })
    expect([reply.rcode, reply.opt?.flags]).toEqual(['NOERROR', 0])
  })

  it('the code of a request has no meaning', () => {
    const record = optOctets({})
    record[5] = 0xff
    expect(ask('alice.home.test', 'A', { additional: [record] }).rcode).toBe('NOERROR')
  })
})

describe('RFC 6891 §6.2: payload size', () => {
  const octetsAt = (payloadBytes: number | undefined) =>
    ask('big.home.test', 'A', { edns: payloadBytes === undefined ? undefined : { payloadBytes } })

  it('§6.2.3: less than 512 is 512', () => {
    const count = (512 - 12 - 19 - 11) / 16
    const zone = (records: number) =>
      zoneFromText(
        'home.test.',
        Array.from({ length: records }, (_, n) => `big 60 A 192.0.2.${n}`).join('\n'),
      )
    for (const payloadBytes of [0, 1, 511, 512]) {
      const edns = { payloadBytes }
      const fits = asking(zone(Math.floor(count)))('big.home.test', 'A', { edns })
      expect(fits.answer).toHaveLength(Math.floor(count))
      const cut = asking(zone(Math.floor(count) + 1))('big.home.test', 'A', { edns })
      expect(cut.flags).toBe('qr aa tc')
    }
  })

  it('§6.2.5: more than 1232 is 1232 here', () => {
    expect(octetsAt(4096).flags).toBe('qr aa tc')
    expect(octetsAt(65_535).octets.length).toBeLessThanOrEqual(1232)
    const most = asking(
      zoneFromText(
        'home.test.',
        Array.from({ length: 74 }, (_, n) => `big 60 A 192.0.2.${n}`).join('\n'),
      ),
    )
    const reply = most('big.home.test', 'A', { edns: { payloadBytes: 4096 } })
    expect([reply.flags, reply.octets.length]).toEqual(['qr aa', 12 + 19 + 74 * 16 + 11])
  })

  it('has no meaning over TCP', () => {
    const edns = { payloadBytes: 512 }
    const reply = ask('big.home.test', 'A', { edns, transport: 'tcp' })
    expect([reply.flags, reply.answer.length]).toEqual(['qr aa', 90])
  })
})

describe('RFC 3225 §3: the DO bit', () => {
  it('is copied', () => {
    expect(ask('alice.home.test', 'A', { edns: { flags: 0x8000 } }).opt?.dnssecOk).toBe(true)
    expect(ask('alice.home.test', 'A', { edns: { flags: 0xffff } }).opt?.flags).toBe(0x8000)
  })

  it('requests no signatures from an unsigned zone', () => {
    const reply = ask('nobody.home.test', 'A', { edns: { flags: 0x8000 } })
    expect(reply.authority).toHaveLength(1)
  })
})
