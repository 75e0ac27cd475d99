import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../test/outside-tool.ts'
import { nameFromText } from '../../src/names/index.ts'
import { findTsig } from '../../src/wire/tsig-record.ts'
import { axfr, CLIENT, key, NOW, small, toKey, toNetwork } from '../support/axfr.ts'
import { serve } from '../support/server.ts'
import { accessOf, SECRET, signedRequest } from '../support/signed.ts'
import { nextSet, received, storeOf, transferServer } from '../support/transfers.ts'
import { zoneFromText } from '../support/zone-text.ts'

const SOA = 'home.test 3600 SOA ns1.home.test hostmaster.home.test 7 3600 600 1209600 60'

describe('RFC 5936 §2.2: a whole zone', () => {
  it('begins and ends with its SOA, with everything else in between', async () => {
    const { server, sent } = transferServer({
      store: await storeOf(small()),
      access: () => accessOf([], [toNetwork]),
    })
    const { records, read, octets } = await received(server.begin(axfr(), CLIENT))
    expect([records.at(0), records.at(-1)]).toEqual([SOA, SOA])
    expect(new Set(records.slice(1, -1))).toEqual(
      new Set([
        'home.test 60 NS ns1.home.test',
        'home.test 60 NS ns2.home.test',
        'alice.home.test 60 A 192.0.2.1',
        'bob.home.test 60 TXT "hello"',
      ]),
    )
    expect(records).toHaveLength(6)
    expect(read[0]).toMatchObject({ rcode: 'NOERROR', flags: 'qr aa', id: 0x1234, questions: 1 })
    const size = octets.reduce((sum, one) => sum + one.length, 0)
    expect(sent).toMatchObject([
      { zone: 'home.test', client: CLIENT, kind: 'whole', serial: 7, messages: 1, octets: size },
    ])
  })

  it('of one name is its SOA twice', async () => {
    const store = await storeOf(zoneFromText('home.test.', ''))
    const { server } = transferServer({ store, access: () => accessOf([], [toNetwork]) })
    expect((await received(server.begin(axfr(), CLIENT))).records).toEqual([SOA, SOA])
  })

  const many = Array.from({ length: 5_000 }, (_, n) => `host-${n} 60 A 10.0.${n >> 8}.${n & 255}`)

  it('of many names takes several messages of moderate size, each name once', async () => {
    const store = await storeOf(zoneFromText('home.test.', many.join('\n')))
    const { server } = transferServer({ store, access: () => accessOf([], [toNetwork]) })
    const { octets, read, records } = await received(server.begin(axfr(), CLIENT))
    expect(octets.length).toBeGreaterThan(5)
    expect(Math.max(...octets.map(({ length }) => length))).toBeLessThan(16_384)
    expect(new Set(records).size).toBe(5_001)
    expect(records).toHaveLength(5_002)
    // §2.2.1 and §3.1: the same ID in all, the question in the first.
    expect(new Set(read.map(({ id }) => id))).toEqual(new Set([0x1234]))
    expect(read.map(({ questions }) => questions)).toEqual([1, ...Array(read.length - 1).fill(0)])
  })

  it('splits an RRset that leaves no room for the signature', async () => {
    const big = Array.from({ length: 4_090 }, (_, n) => `big 60 A 10.0.${n >> 8}.${n & 255}`)
    const store = await storeOf(zoneFromText('home.test.', big.join('\n')))
    const { server } = transferServer({ store, access: () => accessOf([key], [toKey]) })
    const { records } = await received(server.begin(signedRequest(key, axfr(), NOW).octets, CLIENT))
    expect(new Set(records).size).toBe(4_091)
    expect(records).toHaveLength(4_092)
  })

  it('is of one version, while the zone changes', async () => {
    const zone = zoneFromText('home.test.', many.join('\n'))
    const store = await storeOf(zone)
    const { server } = transferServer({ store, access: () => accessOf([], [toNetwork]) })
    const messages: Buffer[] = []
    const owner = nameFromText('host-4999.home.test.')
    for await (const message of server.begin(axfr(), CLIENT) ?? []) {
      messages.push(message)
      await store.apply('1', [nextSet(zone, [{ owner, rrsets: null }])])
      if (messages.length > 1) continue
      await store.apply('1', [
        nextSet(zone, [{ owner: nameFromText('new.home.test.'), rrsets: [] }]),
      ])
    }
    async function* sent() {
      yield* messages
    }
    const { records } = await received(sent())
    expect([records[0], records.at(-1), records.length]).toEqual([SOA, SOA, 5_002])
    expect(records).toContain('host-4999.home.test 60 A 10.0.19.135')
    expect(zone.version.serial).toBeGreaterThan(8n)
  })

  it('§2.2.5: carries OPT where the client sent it', async () => {
    const { server } = transferServer({
      store: await storeOf(small()),
      access: () => accessOf([], [toNetwork]),
    })
    const { read } = await received(server.begin(axfr('home.test', { edns: {} }), CLIENT))
    expect(read[0]?.opt).toMatchObject({ version: 0, payloadBytes: 1232 })
  })
})

describe('RFC 5936 §5: limits', () => {
  it('transfers beyond the places wait, and too many are REFUSED', async () => {
    const { server, told } = transferServer({
      store: await storeOf(small()),
      access: () => accessOf([], [toNetwork]),
      limits: { atOnce: 2, perClient: 1, waiting: 1 },
    })
    const begun = [CLIENT, CLIENT, '192.0.2.99', '192.0.2.98'].map((client) => {
      const messages = server.begin(axfr(), client)
      return messages?.[Symbol.asyncIterator]()
    })
    const [first, second, third, fourth] = begun
    await first?.next()
    const waiting = second?.next()
    await third?.next()
    expect(server.load).toEqual({ underWay: 2, waiting: 1 })
    const refused = await fourth?.next()
    expect(refused?.value).toMatchObject({ 3: 5 })
    expect(told).toContain('refused home.test 192.0.2.98 busy')
    await first?.return?.()
    expect((await waiting)?.done).toBe(false)
    for (const one of begun) await one?.return?.()
    expect(server.load).toEqual({ underWay: 0, waiting: 0 })
  })

  it('a transfer that takes too long ends', async () => {
    const lines = Array.from({ length: 2_000 }, (_, n) => `host-${n} 60 A 10.0.0.1`)
    const { server, told } = transferServer({
      store: await storeOf(zoneFromText('home.test.', lines.join('\n'))),
      access: () => accessOf([], [toNetwork]),
      limits: { lastMs: -1 },
    })
    const { read } = await received(server.begin(axfr(), CLIENT))
    expect(read.map(({ rcode }) => rcode)).toEqual(['SERVFAIL'])
    expect(told[0]).toMatch(/^broken home\.test 192\.0\.2\.53 it took more than/)
  })
})

describe('RFC 8945 §5.3.1: a transfer is signed', () => {
  it('in each of its messages', async () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => `host-${n} 60 A 10.0.0.1`)
    const { server } = transferServer({
      store: await storeOf(zoneFromText('home.test.', lines.join('\n'))),
      access: () => accessOf([key], [toKey]),
    })
    const { octets } = await received(server.begin(signedRequest(key, axfr(), NOW).octets, CLIENT))
    const macs = octets.map((message) => findTsig(message)?.record.mac.toString('hex'))
    expect(new Set(macs).size).toBe(octets.length)
    expect(macs).not.toContain(undefined)
  })

  it.each(['dig', 'kdig'])('and %s accepts it', needs('dig'), async (program) => {
    const lines = Array.from({ length: 3_000 }, (_, n) => `host-${n} 60 A 10.0.0.1`)
    const zone = zoneFromText('home.test.', lines.join('\n'))
    const { server: transfers, sent } = transferServer({
      store: await storeOf(zone),
      access: () => accessOf([key], [toKey]),
    })
    const server = await serve([zone], { transfers })
    try {
      const secret = `hmac-sha256:transfer-key:${SECRET.toString('base64')}`
      const at = ['@127.0.0.1', '-p', String(server.port), '-y', secret, 'home.test', 'AXFR']
      const { stdout, stderr } = await promisify(execFile)(program, at)
      expect(stdout.match(/host-\d+\.home\.test\./g)).toHaveLength(3_000)
      expect(stdout + stderr).not.toMatch(/warn|error:|could not|fail|BADSIG/i)
      expect(sent[0]?.messages).toBeGreaterThan(2)
    } finally {
      await server.close()
    }
  })
})
