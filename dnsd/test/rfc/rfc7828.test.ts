import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askingServer } from '../support/ask.ts'
import { ednsWith, optionOctets, requestOctets } from '../support/request-octets.ts'
import { serve, type TestServer } from '../support/server.ts'
import { TcpClient } from '../support/tcp-client.ts'
import { zoneFromText } from '../support/zone-text.ts'

const KEEPALIVE = 11
const home = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
const ask = askingServer({ tcpIdleMs: () => 15_000 }, home)
const edns = ednsWith(optionOctets(KEEPALIVE))

describe('RFC 7828 §3.1: the option', () => {
  it('has no content in a request, and 15 seconds are 150 in an answer', () => {
    const reply = ask('alice.home.test', 'A', { edns, transport: 'tcp' })
    expect([reply.rcode, reply.answer.length]).toEqual(['NOERROR', 1])
    expect(reply.opt?.options).toEqual({ [KEEPALIVE]: '0096' })
  })

  it.each(['00', '0096', '000000'])('FORMERR for a request with %s in it', (content) => {
    const odd = ednsWith(optionOctets(KEEPALIVE, content))
    const reply = ask('alice.home.test', 'A', { edns: odd, transport: 'tcp' })
    expect([reply.rcode, reply.answer, reply.opt?.optionCount]).toEqual(['FORMERR', [], 0])
  })

  it('has the maximum of 16 bits if the time is longer', () => {
    const patient = askingServer({ tcpIdleMs: () => 24 * 3_600_000 }, home)
    const reply = patient('alice.home.test', 'A', { edns, transport: 'tcp' })
    expect(reply.opt?.options[KEEPALIVE]).toBe('ffff')
  })
})

describe('RFC 7828 §3.2: over UDP it is ignored', () => {
  it.each(['', '00', '0096', '000000'])('with "%s" in it', (content) => {
    const odd = ednsWith(optionOctets(KEEPALIVE, content))
    const reply = ask('alice.home.test', 'A', { edns: odd })
    expect([reply.rcode, reply.answer.length, reply.opt?.optionCount]).toEqual(['NOERROR', 1, 0])
  })
})

describe('RFC 7828 §3.3.2: it is sent to clients that request it', () => {
  it.each([
    ['no OPT record', undefined],
    ['an OPT record without it', {}],
  ])('and not to a client that sends %s', (_what, other) => {
    const reply = ask('alice.home.test', 'A', { edns: other, transport: 'tcp' })
    expect(reply.opt?.optionCount ?? 0).toBe(0)
  })
})

describe('RFC 7828 §3.4: a connection for several queries', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serve([home])
  })
  afterAll(async () => server.close())

  it('requests it once and stays open', async () => {
    const client = await TcpClient.open(server.port)
    const first = await client.ask(requestOctets('alice.home.test', 'A', { edns }))
    expect(first?.opt?.options).toEqual({ [KEEPALIVE]: '0096' })
    for (let count = 0; count < 3; count++) {
      const next = await client.ask(requestOctets('alice.home.test', 'A'))
      expect(next?.answer).toHaveLength(1)
    }
    client.socket.destroy()
  })
})
