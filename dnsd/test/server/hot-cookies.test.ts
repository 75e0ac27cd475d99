/* Queries with a cookie on the hot path: its answers, counters and rate limits equal those of the pipeline. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANSWER_LIMIT_BYTES, HotPath } from '../../src/hot-path/index.ts'
import { HotAnswerer, type Sender } from '../../src/server/datagram-answerer.ts'
import { HotCookies } from '../../src/server/hot-cookies.ts'
import { createResponder, SharedCounters } from '../../src/server/index.ts'
import {
  createRateLimitTable,
  DEFAULT_RATE_LIMIT,
  RateLimiter,
} from '../../src/server/rate-limit.ts'
import { ipv4FromText, ipv6FromText } from '../../src/names/index.ts'
import { answerCookie, COOKIE_BYTES, cookieSecrets } from '../../src/wire/index.ts'
import { read } from '../support/ask.ts'
import { SILENT_EVENTS } from '../support/events.ts'
import { ednsWith, optionOctets, requestOctets } from '../support/request-octets.ts'
import { zoneFromText, zonesOf } from '../support/zone-text.ts'

const COOKIE = 10
const NOW_SECONDS = 1_800_000_000
const SECRETS = [Buffer.alloc(16, 7), Buffer.alloc(16, 8)]
const ADDRESSES = ['192.0.2.1', '203.0.113.255', '2001:db8::1', '::ffff:192.0.2.1', 'fe80::1%eth0']
const HALF_AN_HOUR = 1800

function octetsOf(address: string): Buffer {
  return address.includes(':') ? ipv6FromText(address.replace(/%.*/, '')) : ipv4FromText(address)
}

/** A server cookie for a client, made with one of the secrets, of this age. */
function cookieFor(address: string, secret: Buffer, ageSeconds: number, octet = 1): Buffer {
  const cookie = Buffer.alloc(COOKIE_BYTES)
  const secrets = cookieSecrets([secret])
  const madeAt = NOW_SECONDS - ageSeconds
  answerCookie(Buffer.alloc(8, octet), octetsOf(address), secrets, madeAt, cookie)
  return cookie
}

/** Both paths over the same zone, each with its own rate limit and counters. */
function bothWays() {
  const zone = zoneFromText(
    'home.test.',
    `alice 60 A 192.0.2.1
     alice 60 TXT "${'x'.repeat(255)}" "${'y'.repeat(190)}"
     *.any 60 A 192.0.2.2
     mail 60 MX 1 alice`,
  )
  const options = { cookieSecrets: SECRETS, nowSeconds: () => NOW_SECONDS }
  const clock = { microseconds: 0, chance: 0 }
  const limiter = () =>
    new RateLimiter(createRateLimitTable(), DEFAULT_RATE_LIMIT, {
      now: () => clock.microseconds,
      chance: () => clock.chance,
    })
  const rowOf = (counters: SharedCounters) => {
    const row = counters.row(0)
    return { row, events: { ...SILENT_EVENTS, answered: row.answered.bind(row) } }
  }
  const [hotCounters, fullCounters] = [new SharedCounters(1), new SharedCounters(1)]
  const hotLimiter = limiter()
  const faults: unknown[] = []
  const hot = rowOf(hotCounters)
  const answerer = new HotAnswerer({
    reader: zone.table,
    hot: new HotPath(zone.table),
    counters: hot.row,
    respond: createResponder(zonesOf(zone), hot.events, { ...options, limiter: hotLimiter }),
    failed: (error) => faults.push(error),
    cookies: new HotCookies(SECRETS, options.nowSeconds),
    limiter: hotLimiter,
  })
  const full = createResponder(zonesOf(zone), rowOf(fullCounters).events, {
    ...options,
    limiter: limiter(),
  })
  /** The result of both paths; empty without an answer. */
  const ask = (packet: Buffer, address: string) => {
    const sender: Sender = { address, readTo: (client) => client.readText(address) }
    const out = new Uint8Array(ANSWER_LIMIT_BYTES).fill(0xee)
    answerer.begin()
    const bytes = answerer.answer(packet, packet.length, sender, out)
    answerer.end()
    const given = Buffer.from(out.subarray(0, bytes))
    const expected = full(packet, 'udp', address) ?? Buffer.alloc(0)
    return { given: given.toString('hex'), expected: expected.toString('hex') }
  }
  const countsOf = (counters: SharedCounters) => ({
    answers: [...counters.answers()],
    octets: counters.octets('udp'),
    truncated: counters.truncated('udp'),
    cookies: [counters.cookies('client'), counters.cookies('valid')],
  })
  const counts = () => ({ given: countsOf(hotCounters), expected: countsOf(fullCounters) })
  return { ask, clock, hotCounters, counts, faults }
}

type Ways = ReturnType<typeof bothWays>

/** Sends a query to both, which must agree. @returns the answer, undefined without one */
function agreed(ways: Ways, packet: Buffer, address: string) {
  const { given, expected } = ways.ask(packet, address)
  expect(given).toBe(expected)
  return given === '' ? undefined : read(Buffer.from(given, 'hex'))
}

function expectSameCounts({ counts, faults }: Ways): void {
  const { given, expected } = counts()
  expect(given).toEqual(expected)
  expect(faults).toEqual([])
}

const asking = (cookie: Buffer) =>
  requestOctets('alice.home.test', 'A', { edns: ednsWith(optionOctets(COOKIE, cookie)) })

describe('the answer', () => {
  it('equals the pipeline’s, octet for octet, for any cookie, client and query', () => {
    const address = fc.constantFrom(...ADDRESSES)
    const made = fc
      .record({
        of: address,
        secret: fc.constantFrom(...SECRETS, Buffer.alloc(16, 9)),
        age: fc.constantFrom(0, HALF_AN_HOUR, HALF_AN_HOUR + 1, 3600, 3601, -300, -301),
      })
      .map(({ of, secret, age }) => cookieFor(of, secret, age))
    const random = fc
      .uint8Array({ minLength: 0, maxLength: 41 })
      .map((octets) => Buffer.from(octets))
    const client = fc
      .uint8Array({ minLength: 8, maxLength: 8 })
      .map((octets) => Buffer.from(octets))
    const cookie = fc.oneof(made, made, client, random)
    const others = fc.constantFrom<Buffer[]>(
      [],
      [],
      [],
      [optionOctets(3)],
      [optionOctets(8, '0001')],
    )
    let [hot, all] = [0, 0]
    const property = fc.property(
      fc.array(
        fc.record({
          name: fc.constantFrom('alice', 'made.up.any', 'nobody', 'mail', 'ALICE'),
          type: fc.constantFrom('A', 'AAAA', 'TXT', 'MX'),
          cookie,
          others,
          address,
          payloadBytes: fc.constantFrom(0, 512, 525, 560, 600, 4096),
          flags: fc.constantFrom(0, 0x8000),
        }),
        { minLength: 1, maxLength: 30 },
      ),
      (questions) => {
        const ways = bothWays()
        for (const { name, type, address: from, payloadBytes, flags, ...has } of questions) {
          const options = Buffer.concat([optionOctets(COOKIE, has.cookie), ...has.others])
          const edns = { payloadBytes, flags, options }
          const both = ways.ask(requestOctets(`${name}.home.test`, type, { edns }), from)
          expect(both.given).toBe(both.expected)
        }
        expectSameCounts(ways)
        hot += ways.hotCounters.hot
        all += questions.length
      },
    )
    fc.assert(property, { seed: 7873, numRuns: 120 })
    // A large share of the queries takes the hot path.
    expect(hot).toBeGreaterThan(all / 4)
  })

  it('comes from the hot path for a client cookie, a valid and an invalid server cookie', () => {
    const ways = bothWays()
    const [address = ''] = ADDRESSES
    const good = cookieFor(address, SECRETS[0] ?? Buffer.alloc(16), 60)
    const bad = Buffer.from(good)
    bad[COOKIE_BYTES - 1] = (bad[COOKIE_BYTES - 1] ?? 0) ^ 1
    const answered = [good.subarray(0, 8), good, bad].map((cookie) => {
      const reply = agreed(ways, asking(cookie), address)
      return reply?.opt?.options[COOKIE]
    })
    expect(answered[1]).toBe(good.toString('hex'))
    expect(answered[0]).not.toBe(answered[1])
    expect(answered[2]).toBe(answered[0])
    expect(ways.hotCounters.hot).toBe(3)
    expectSameCounts(ways)
  })
})

describe('the rate limit', () => {
  const [address = ''] = ADDRESSES
  const good = cookieFor(address, SECRETS[1] ?? Buffer.alloc(16), 0)
  const rate = DEFAULT_RATE_LIMIT.responsesPerSecond
  const many = 3 * rate
  /** Answers over the rate to a client that supports cookies and has none of this server. */
  const overTheRate = (ways: Ways) =>
    Array.from({ length: many }, () => agreed(ways, asking(good.subarray(0, 8)), address)).slice(
      rate,
    )

  it('does not apply to clients with a proven address', () => {
    const ways = bothWays()
    for (let turn = 0; turn < many; turn++) {
      expect(agreed(ways, asking(good), address)?.answer).toHaveLength(1)
    }
    expect(ways.hotCounters.hot).toBe(many)
    expectSameCounts(ways)
  })

  it('answers BADCOOKIE to other clients that support cookies, with a cookie for the retry', () => {
    const ways = bothWays()
    const over = overTheRate(ways)
    expect(over.map((reply) => reply?.rcode)).toEqual(over.map(() => 'BADCOOKIE'))
    const cookie = Buffer.from(over[0]?.opt?.options[COOKIE] ?? '', 'hex')
    expect(agreed(ways, asking(cookie), address)?.answer).toHaveLength(1)
    expectSameCounts(ways)
  })

  it('drops at random, as for all clients', () => {
    const ways = bothWays()
    ways.clock.chance = 0.99
    expect(overTheRate(ways).every((reply) => reply === undefined)).toBe(true)
    expectSameCounts(ways)
  })
})
