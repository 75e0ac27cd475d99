import { describe, expect, it } from 'vitest'
import { nameFromText, nameKey } from '../../src/names/index.ts'
import type { TransferRule } from '../../src/settings/settings.ts'
import { asking } from '../support/ask.ts'
import { axfr, CLIENT, key, NOW, small, toKey, toNetwork } from '../support/axfr.ts'
import { requestOctets } from '../support/request-octets.ts'
import { accessOf, keyNamed, signedRequest } from '../support/signed.ts'
import { ixfrRequest, received, storeOf, transferServer } from '../support/transfers.ts'

const other = keyNamed('other-key')

describe('RFC 5936 §5: access to a zone', () => {
  const store = storeOf(small())
  const signed = (by: typeof key, atSeconds = NOW) => signedRequest(by, axfr(), atSeconds).octets

  /** Whether the client gets the zone, and the recorded events. */
  async function attempt(request: Buffer, rules: readonly TransferRule[], client = CLIENT) {
    const access = accessOf([key, other], rules)
    const { server, told } = transferServer({
      store: await store,
      access: () => access,
      nowSeconds: () => NOW,
    })
    const messages = server.begin(request, client)
    const records = messages === undefined ? [] : (await received(messages)).records
    return { isGiven: records.length > 0, told }
  }

  it('is refused by default', async () => {
    expect(await attempt(axfr(), [])).toEqual({
      isGiven: false,
      told: [`refused home.test ${CLIENT} not-allowed`],
    })
    expect((await attempt(signed(key), [])).isGiven).toBe(false)
  })

  it.each([
    ['the key', signed(key), [toKey], true],
    ['another key', signed(other), [toKey], false],
    ['no key', axfr(), [toKey], false],
    ['the network', axfr(), [toNetwork], true],
    ['the network and any key', signed(other), [toNetwork], true],
  ])('by %s', async (_what, request, rules, isGiven) => {
    expect((await attempt(request, rules)).isGiven).toBe(isGiven)
  })

  it.each([
    ['the key', signed(key), '192.0.3.1', false],
    ['the network', axfr(), CLIENT, false],
    ['both', signed(key), CLIENT, true],
  ])('with %s if both are required', async (_what, request, client, isGiven) => {
    const networks = [{ address: '192.0.2.0', prefixBits: 24 }]
    const both: TransferRule = { zones: 'every', allow: [{ key, networks }], notify: [] }
    expect((await attempt(request, [both], client)).isGiven).toBe(isGiven)
  })

  it('is decided for each zone by the first rule that names it', async () => {
    const closed = { zones: new Set([nameKey(nameFromText('home.test.'))]), allow: [], notify: [] }
    expect((await attempt(axfr(), [closed, toNetwork])).isGiven).toBe(false)
    expect((await attempt(axfr(), [toNetwork, closed])).isGiven).toBe(true)
  })

  it('is not revealed to a wrong signature', async () => {
    const wrong = signed({ ...key, secret: Buffer.alloc(32) })
    const refused = `refused home.test ${CLIENT} bad-signature`
    expect(await attempt(wrong, [toKey, toNetwork])).toEqual({ isGiven: false, told: [refused] })
    expect((await attempt(signed(key, NOW - 400), [toKey])).told).toEqual([refused])
  })

  it('and the responder answers REFUSED to others', () => {
    const ask = asking(small())
    for (const name of ['home.test', 'alice.home.test', 'example']) {
      const reply = ask(name, 'AXFR', { transport: 'tcp' })
      expect([reply.rcode, reply.flags, reply.answer, reply.authority]).toEqual([
        'REFUSED',
        'qr',
        [],
        [],
      ])
    }
  })

  it('§2.2.1: gets NOTAUTH for a zone that is not served here', async () => {
    const { server } = transferServer({
      store: await store,
      access: () => accessOf([], [toNetwork]),
    })
    for (const name of ['example', 'alice.home.test', 'test']) {
      const { read } = await received(server.begin(axfr(name), CLIENT))
      expect(read.map(({ rcode, answer }) => [rcode, answer])).toEqual([['NOTAUTH', []]])
    }
  })

  it('does not include a zone that lost changes, not even that it has nothing new', async () => {
    const zone = small()
    zone.markIncomplete()
    const { server, told } = transferServer({
      store: await storeOf(zone),
      access: () => accessOf([], [toNetwork]),
    })
    const edns = {}
    for (const request of [axfr('home.test', { edns }), ixfrRequest('home.test', 7, { edns })]) {
      const { read, records } = await received(server.begin(request, CLIENT))
      expect(read).toMatchObject([{ rcode: 'REFUSED', opt: { options: { 15: '000e' } } }])
      expect(records).toEqual([])
    }
    expect(told).toEqual(Array(2).fill(`refused home.test ${CLIENT} incomplete`))
  })

  it('leaves other questions to the responder', async () => {
    const { server } = transferServer({
      store: await store,
      access: () => accessOf([], [toNetwork]),
    })
    for (const request of [
      requestOctets('home.test', 'SOA'),
      requestOctets('home.test', 'AXFR', { qclass: 3 }),
      requestOctets('home.test', 'AXFR', { opcode: 4 }),
      requestOctets('home.test', 'AXFR', { edns: { version: 1 } }),
      axfr().subarray(0, 20),
      Buffer.concat([axfr(), Buffer.alloc(1)]),
    ]) {
      expect(server.begin(request, CLIENT)).toBeUndefined()
    }
  })
})
