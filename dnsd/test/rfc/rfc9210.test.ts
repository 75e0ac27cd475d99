import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asking } from '../support/ask.ts'
import { requestOctets } from '../support/request-octets.ts'
import { serve, type TestServer } from '../support/server.ts'
import { framed, TcpClient } from '../support/tcp-client.ts'
import { zoneFromText } from '../support/zone-text.ts'

const big = Array.from({ length: 120 }, (_, n) => `big 60 AAAA 2001:db8::${n + 1}`)
const home = zoneFromText(
  'home.test.',
  [
    'alice 60 A 192.0.2.1',
    'w 60 CNAME alice',
    'cut 60 NS ns.cut',
    'ns.cut 60 A 192.0.2.2',
    ...big,
  ].join('\n'),
)
const ask = asking(home)
const names = ['alice', 'w', 'x.cut', 'nobody', 'big'].map((label) => `${label}.home.test`)

describe('RFC 9210 §3: TCP is as good as UDP', () => {
  it.each(names)('the same is answered for %s, but for what does not fit', (name) => {
    for (const type of ['A', 'AAAA', 'NS', 'SOA', 'ANY']) {
      for (const edns of [undefined, {}]) {
        const udp = ask(name, type, { edns })
        const tcp = ask(name, type, { edns, transport: 'tcp' })
        const isCut = udp.flags.includes('tc')
        expect(isCut).toBe(tcp.octets.length > (edns === undefined ? 512 : 1232))
        expect(isCut || tcp.octets.equals(udp.octets)).toBe(true)
      }
    }
  })

  it('what is cut off over UDP is whole over TCP', () => {
    expect(ask('big.home.test', 'AAAA', { edns: {} })).toMatchObject({ flags: 'qr aa tc' })
    const whole = ask('big.home.test', 'AAAA', { edns: {}, transport: 'tcp' })
    expect([whole.flags, whole.answer.length]).toEqual(['qr aa', 120])
  })
})

describe('RFC 9210 §4: connections', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serve([home], { hosts: ['127.0.0.1', '::1'] })
  })
  afterAll(async () => server.close())

  it.each(['127.0.0.1', '::1'])(
    'are taken at %s without a question over UDP before',
    async (host) => {
      const client = await TcpClient.open(server.port, host)
      const reply = await client.ask(requestOctets('alice.home.test', 'A'))
      expect(reply?.answer).toEqual(['alice.home.test 60 A 192.0.2.1'])
      client.socket.destroy()
    },
  )

  it('§4.2: stay open after an answer that is a refusal, or none', async () => {
    const client = await TcpClient.open(server.port)
    const answerOnly = requestOctets('alice.home.test', 'A')
    answerOnly.writeUInt16BE(0x8000, 2)
    client.socket.write(framed(answerOnly))
    expect((await client.ask(requestOctets('example', 'A')))?.rcode).toBe('REFUSED')
    expect((await client.ask(Buffer.alloc(12)))?.rcode).toBe('FORMERR')
    expect((await client.ask(requestOctets('alice.home.test', 'A')))?.answer).toHaveLength(1)
    client.socket.destroy()
  })

  it('§4.4: many at once, each with its own answers', async () => {
    const clients = await Promise.all(names.map(async () => TcpClient.open(server.port)))
    const replies = await Promise.all(
      clients.map(async (client, at) =>
        client.ask(requestOctets(names[at] ?? '', 'A', { id: at + 1 })),
      ),
    )
    expect(replies.map((reply) => reply?.id)).toEqual([1, 2, 3, 4, 5])
    expect(replies.map((reply) => reply?.octets)).toEqual(
      names.map((name, at) => ask(name, 'A', { id: at + 1, transport: 'tcp' }).octets),
    )
    for (const client of clients) client.socket.destroy()
  })
})
