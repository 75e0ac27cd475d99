import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createResponder } from '../../src/server/index.ts'
import { asking, askingServer, read, sendingTo } from '../support/ask.ts'
import { SILENT_EVENTS } from '../support/events.ts'
import {
  ednsWith,
  headerOctets,
  optionOctets,
  optOctets,
  requestOctets,
} from '../support/request-octets.ts'
import { serve } from '../support/server.ts'
import { TcpClient } from '../support/tcp-client.ts'
import { zoneFromText, zonesOf } from '../support/zone-text.ts'

const COOKIE = 10
const CLIENT_COOKIE = '2464c4abcf10c957'
const SECRET = Buffer.from('e5e973e5a6b2a43f48e7dc849e37bfcf', 'hex')
const client = '198.51.100.100'
const GOOD = '2464c4abcf10c957010000005cf79f111f8130c3eee29480'
const BAD = `${GOOD.slice(0, -2)}81`

const home = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
const server = { cookieSecrets: [SECRET], nowSeconds: () => 1_559_731_985 }
const ask = askingServer(server, home)
const send = sendingTo(server, home)
const cookie = (content: string) => optionOctets(COOKIE, content)

describe('RFC 7873 §5.2.1: a request without a cookie', () => {
  it.each([undefined, {}])('is answered as usual, without one', (edns) => {
    const reply = ask('alice.home.test', 'A', { edns, client })
    expect([reply.answer.length, reply.opt?.options[COOKIE]]).toEqual([1, undefined])
  })
})

describe('RFC 7873 §5.2.2: a cookie of an invalid length', () => {
  it.each([0, 1, 7, 9, 15, 41, 48])('FORMERR for %i octets', (bytes) => {
    for (const transport of ['udp', 'tcp'] as const) {
      const edns = ednsWith(cookie('ab'.repeat(bytes)))
      const reply = ask('alice.home.test', 'A', { edns, client, transport })
      expect([reply.rcode, reply.answer, reply.opt?.options]).toEqual(['FORMERR', [], {}])
    }
  })

  it.each([8, 16, 17, 24, 32, 40])('no FORMERR for %i', (bytes) => {
    const edns = ednsWith(cookie('ab'.repeat(bytes)))
    const reply = ask('alice.home.test', 'A', { edns, client })
    expect([reply.rcode, reply.answer.length]).toEqual(['NOERROR', 1])
  })
})

describe('RFC 7873 §5.2.3 and §5.2.4: a client without a valid server cookie', () => {
  it.each([
    ['none', CLIENT_COOKIE],
    ['a bad one', BAD],
    ['one of another kind', `${CLIENT_COOKIE}${'ab'.repeat(8)}`],
  ])('%s: is answered, and gets a valid one with its own', (_what, sent) => {
    for (const name of ['alice.home.test', 'nobody.home.test', 'elsewhere.example']) {
      const edns = ednsWith(cookie(sent))
      const reply = ask(name, 'A', { edns, client })
      expect(reply.rcode).toBe(asking(home)(name, 'A').rcode)
      expect(reply.opt?.options[COOKIE]).toBe(GOOD)
    }
  })
})

describe('RFC 7873 §5.2.5: a client with a valid server cookie', () => {
  it('gets it back', () => {
    const reply = ask('alice.home.test', 'A', { edns: ednsWith(cookie(GOOD)), client })
    expect([reply.answer.length, reply.opt?.options]).toEqual([1, { [COOKIE]: GOOD }])
  })

  it('over IPv6, through any link', () => {
    const of = (address: string) =>
      ask('alice.home.test', 'A', { edns: ednsWith(cookie(CLIENT_COOKIE)), client: address }).opt
        ?.options[COOKIE]
    expect(of('fe80::1%eth0')).toBe(of('fe80::1'))
    expect(of('fe80::1')).not.toBe(of('fe80::2'))
  })
})

describe('RFC 7873 §5: several COOKIE options', () => {
  it.each([
    ['two good ones', [GOOD, GOOD]],
    ['one that is too short after a good one', [GOOD, 'ab']],
    ['another client cookie after the first', [CLIENT_COOKIE, 'ffffffffffffffff']],
  ])('%s: the first counts, and is answered with one', (_what, contents) => {
    const edns = ednsWith(...contents.map(cookie))
    const reply = ask('alice.home.test', 'A', { edns, client })
    expect([reply.rcode, reply.opt?.optionCount]).toEqual(['NOERROR', 1])
    expect(reply.opt?.options[COOKIE]).toBe(GOOD)
  })

  it('FORMERR when the first is too short', () => {
    const edns = ednsWith(cookie('ab'), cookie(GOOD))
    expect(ask('alice.home.test', 'A', { edns, client }).rcode).toBe('FORMERR')
  })
})

describe('RFC 7873 §5.4: a request for only a cookie, without a question', () => {
  const withoutQuestion = (options: Buffer, version = 0) =>
    Buffer.concat([headerOctets({ id: 7 }, [0, 0, 0, 1]), optOctets({ options, version })])

  it.each([
    ['no server cookie', CLIENT_COOKIE, 'NOERROR'],
    ['a good one', GOOD, 'NOERROR'],
    ['a bad one', BAD, 'BADCOOKIE'],
  ])('with %s', (_what, sent, rcode) => {
    const reply = send(withoutQuestion(cookie(sent)), 'udp', client)
    expect([reply?.rcode, reply?.id, reply?.flags, reply?.questions]).toEqual([rcode, 7, 'qr', 0])
    expect([reply?.answer, reply?.authority]).toEqual([[], []])
    expect(reply?.opt?.options).toEqual({ [COOKIE]: GOOD })
  })

  it.each([
    ['no cookie', withoutQuestion(Buffer.alloc(0))],
    ['one that is too short', withoutQuestion(cookie('ab'))],
    ['octets after it', Buffer.concat([withoutQuestion(cookie(GOOD)), Buffer.alloc(1)])],
  ])('FORMERR with %s', (_what, packet) => {
    expect(send(packet, 'udp', client)?.rcode).toBe('FORMERR')
  })

  it('FORMERR with an OPT record of another version, which precedes its options', () => {
    expect(send(withoutQuestion(cookie(GOOD), 1), 'udp', client)?.rcode).toBe('FORMERR')
  })

  it('FORMERR from a server without cookies', () => {
    expect(sendingTo({}, home)(withoutQuestion(cookie(GOOD)))?.rcode).toBe('FORMERR')
  })
})

describe('RFC 7873 §5.2.3: BADCOOKIE replaces answers over the rate limit', () => {
  /** Shortens each answer to its first twelve octets and the question, like a slip. */
  const asked: string[] = []
  const limiter = {
    limit(address: string, answer: Uint8Array, bytes: number) {
      asked.push(address)
      answer.fill(0, 6, 12)
      answer[2] = (answer[2] ?? 0) | 0x02
      return Math.min(bytes, 12 + 21)
    },
  }
  const limited = askingServer({ ...server, limiter }, home)
  const all = askingServer({ ...server, limiter: { limit: () => 0 } }, home)

  it('for a client that supports cookies, which retries with the valid one', () => {
    const edns = ednsWith(cookie(CLIENT_COOKIE))
    const reply = limited('alice.home.test', 'A', { edns, client })
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['BADCOOKIE', 'qr', []])
    expect(reply.opt?.options).toEqual({ [COOKIE]: GOOD })
    expect(reply.octets).toHaveLength(requestOctets('alice.home.test', 'A').length + 11 + 4 + 24)
  })

  it('another client gets the shortened answer of the limiter', () => {
    const reply = limited('alice.home.test', 'A', { client })
    expect([reply.rcode, reply.flags, reply.answer]).toEqual(['NOERROR', 'qr aa tc', []])
  })

  it('with a valid cookie, and over TCP, the limiter is not used', () => {
    asked.length = 0
    const good = limited('alice.home.test', 'A', { edns: ednsWith(cookie(GOOD)), client })
    const tcp = limited('alice.home.test', 'A', { client, transport: 'tcp' })
    expect([good.answer.length, tcp.answer.length, asked]).toEqual([1, 1, []])
    const bad = limited('alice.home.test', 'A', { edns: ednsWith(cookie(BAD)), client })
    expect([bad.rcode, asked]).toEqual(['BADCOOKIE', [client]])
  })

  it('answers that the limiter drops are dropped', () => {
    expect(() => all('alice.home.test', 'A', { client })).toThrow('no answer')
    expect(all('alice.home.test', 'A', { client, transport: 'tcp' }).answer).toHaveLength(1)
  })
})

describe('RFC 7873 §4.2: a cookie is bound to the address of the request', () => {
  it('over UDP and over TCP', async () => {
    const respond = createResponder(zonesOf(home), SILENT_EVENTS, server)
    const listening = await serve([home], { respond })
    const edns = ednsWith(cookie(CLIENT_COOKIE))
    const packet = requestOctets('alice.home.test', 'A', { edns })
    const expected = ask('alice.home.test', 'A', { edns, client: '127.0.0.1' }).opt?.options
    const udp = createSocket('udp4')
    udp.send(packet, listening.port, '127.0.0.1')
    const [overUdp] = (await once(udp, 'message')) as [Buffer]
    const tcp = await TcpClient.open(listening.port)
    const overTcp = await tcp.ask(packet)
    tcp.socket.destroy()
    udp.close()
    await listening.close()
    expect([read(overUdp).opt?.options, overTcp?.opt?.options]).toEqual([expected, expected])
    expect(expected?.[COOKIE]).not.toBe(GOOD)
  })
})
