import { describe, expect, it } from 'vitest'
import { asking, askingServer } from '../support/ask.ts'
import { ednsWith, optionOctets, requestOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const NSID = 3
const home = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
const ask = askingServer({ identity: 'ns1.example.net' }, home)
const inHex = Buffer.from('ns1.example.net').toString('hex')
const edns = ednsWith(optionOctets(NSID))

describe('RFC 5001 §2.1: a client that requests', () => {
  it('the name of the server gets it, over UDP and TCP, with any answer', () => {
    for (const transport of ['udp', 'tcp'] as const) {
      for (const name of ['alice.home.test', 'nobody.home.test', 'elsewhere.example']) {
        expect(ask(name, 'A', { edns, transport }).opt?.options[NSID]).toBe(inHex)
      }
    }
  })

  it('the name with content in the option also gets it: the content is ignored', () => {
    const odd = ednsWith(optionOctets(NSID, 'abcdef'))
    expect(ask('alice.home.test', 'A', { edns: odd }).opt?.options).toEqual({ [NSID]: inHex })
  })

  it('the name twice gets it once', () => {
    const twice = ednsWith(optionOctets(NSID), optionOctets(NSID))
    expect(ask('alice.home.test', 'A', { edns: twice }).opt?.optionCount).toBe(1)
  })
})

describe('RFC 5001 §2.2: a client that does not request it', () => {
  it.each([
    ['sends no OPT record', undefined],
    ['sends one without the option', {}],
    ['sends one of another version', { ...edns, version: 1 }],
  ])('and %s, does not get it', (_who, otherwise) => {
    expect(ask('alice.home.test', 'A', { edns: otherwise }).opt?.options[NSID]).toBeUndefined()
  })

  it('a server without a name sends no option', () => {
    expect(asking(home)('alice.home.test', 'A', { edns }).opt?.options).toEqual({})
  })
})

describe('RFC 5001 §2.3: the name is any octets', () => {
  const longest = askingServer({ identity: 'ü'.repeat(127) }, home)

  it('of 254 octets as well as of one', () => {
    const reply = longest('alice.home.test', 'A', { edns })
    expect(reply.opt?.options[NSID]).toHaveLength(2 * 254)
    expect(reply.answer).toHaveLength(1)
  })

  it('and is omitted if a very long question leaves no room for it', () => {
    const label = (length: number) => Buffer.alloc(length + 1, 97).fill(length, 0, 1)
    const name = Buffer.concat([...[63, 63, 63, 61].map(label), Buffer.from([0])])
    const least = { ...edns, payloadBytes: 512 }
    const reply = longest(name, 'A', { edns: least })
    expect([reply.rcode, reply.flags, reply.opt?.options]).toEqual(['REFUSED', 'qr', {}])
    expect(reply.octets).toHaveLength(requestOctets(name, 'A', { edns: {} }).length)
  })
})
