import { describe, expect, it } from 'vitest'
import {
  createRateLimitTable,
  DEFAULT_RATE_LIMIT,
  limitedCounts,
  RateLimiter,
  type RateLimitSettings,
} from '../../src/server/rate-limit.ts'
import { ClientAddress } from '../../src/server/client-address.ts'
import { read, sending } from '../support/ask.ts'
import { optOctets, requestOctets, type RequestOptions } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

const send = sending(
  zoneFromText(
    'home.test.',
    `
    alice  60 A     192.0.2.1
    alice  60 TXT   "${'x'.repeat(200)}"
    bob    60 A     192.0.2.2
    *.wild 60 A     192.0.2.3
    old    60 DNAME new
    x.new  60 A     192.0.2.4
    cut    60 NS    ns.elsewhere.test.
    `,
  ),
)
const RATE = DEFAULT_RATE_LIMIT.responsesPerSecond
const NAME_STARTS = 12

function clientAt(octets: Uint8Array, at: number, length: 4 | 16): ClientAddress {
  const client = new ClientAddress()
  client.readOctets(octets, at, length)
  return client
}

/** A limiter with a clock that the test moves. */
function limiting(settings: Partial<RateLimitSettings> = {}, chance = 0.99) {
  const table = createRateLimitTable()
  const clock = { microseconds: 0 }
  const sources = { now: () => clock.microseconds, chance: () => chance }
  const limiter = new RateLimiter(table, { ...DEFAULT_RATE_LIMIT, ...settings }, sources)
  /** @returns the answer as it would be sent */
  const ask = (client: string, name: string, type = 'A', options: RequestOptions = {}) => {
    const octets = send(requestOctets(name, type, options))?.octets ?? Buffer.alloc(0)
    const invented = name.indexOf('wild.home.test')
    return octets.subarray(0, limiter.limit(client, octets, octets.length, Math.max(0, invented)))
  }
  const passed = (client: string, count: number, nameOf: (turn: number) => string): number => {
    let full = 0
    for (let turn = 0; turn < count; turn++) if (ask(client, nameOf(turn)).length > 0) full++
    return full
  }
  return { table, clock, ask, passed }
}

describe('RateLimiter', () => {
  it('allows a network a burst, and nothing during a flood', () => {
    const { clock, passed } = limiting()
    expect(passed('192.0.2.1', 100, () => 'alice.home.test')).toBe(RATE)
    for (let second = 0; second < 20; second++) {
      clock.microseconds += 1_000_000
      expect(passed('192.0.2.9', 100, () => 'alice.home.test')).toBe(0)
    }
  })

  it('releases a quiet network, in five seconds at most', () => {
    const { clock, passed } = limiting()
    passed('192.0.2.1', 10_000, () => 'alice.home.test')
    clock.microseconds += 5_000_000
    expect(passed('192.0.2.1', 100, () => 'alice.home.test')).toBe(RATE)
  })

  it('does not limit a network that stays at the rate, across the wrap-around of the clock', () => {
    const { clock, passed } = limiting()
    clock.microseconds = 64 * 2 ** 31 - 10_000_000
    for (let turn = 0; turn < 60 * RATE; turn++) {
      expect(passed('192.0.2.1', 1, () => 'alice.home.test')).toBe(1)
      clock.microseconds += 1_000_000 / RATE
    }
  })

  it.each([
    ['192.0.2.1', '192.0.2.254', '192.0.3.1'],
    ['2001:db8:0:1200::1', '2001:db8:0:12ff::9', '2001:db8:0:1300::1'],
  ])('counts %s and %s together and %s apart', (one, neighbour, other) => {
    const { passed } = limiting()
    expect(passed(one, 50, () => 'alice.home.test')).toBe(RATE)
    expect(passed(neighbour, 50, () => 'alice.home.test')).toBe(0)
    expect(passed(other, 50, () => 'alice.home.test')).toBe(RATE)
  })

  it('has networks of the configured size', () => {
    const { passed } = limiting({ ipv4Prefix: 32, ipv6Prefix: 64 })
    expect(passed('192.0.2.1', 50, () => 'alice.home.test')).toBe(RATE)
    expect(passed('192.0.2.2', 50, () => 'alice.home.test')).toBe(RATE)
    expect(passed('2001:db8::1', 50, () => 'alice.home.test')).toBe(RATE)
    expect(passed('2001:db8:0:1::1', 50, () => 'alice.home.test')).toBe(RATE)
  })

  it.each([
    ['names that do not exist', (turn: number) => `no${turn}.home.test`, RATE],
    ['names below a wildcard', (turn: number) => `x${turn}.wild.home.test`, RATE],
    ['names below a DNAME that lead nowhere', (turn: number) => `x${turn}.old.home.test`, RATE],
    ['names below a cut', (turn: number) => `x${turn}.cut.home.test`, RATE],
    ['names of others', (turn: number) => `x${turn}.elsewhere.test`, RATE],
    [
      'a name in any letter case',
      (turn: number) => (turn % 2 ? 'ALICE' : 'alice') + '.home.test',
      RATE,
    ],
    ['two names', (turn: number) => `${turn % 2 ? 'alice' : 'bob'}.home.test`, 2 * RATE],
  ])('counts %s', (_what, nameOf, full) => {
    expect(limiting().passed('192.0.2.1', 200, nameOf)).toBe(full)
  })

  it('limits names that do not exist and not those that do', () => {
    const { passed } = limiting()
    passed('192.0.2.1', 1000, (turn) => `no${turn}.home.test`)
    expect(passed('192.0.2.1', RATE, () => 'alice.home.test')).toBe(RATE)
  })

  it('never limits exempt clients', () => {
    const exempt = [
      { address: '192.0.2.128', prefixBits: 25 },
      { address: '2001:db8::1', prefixBits: 128 },
    ]
    const { passed } = limiting({ exempt })
    expect(passed('192.0.2.130', 200, () => 'alice.home.test')).toBe(200)
    expect(passed('2001:db8::1', 200, () => 'alice.home.test')).toBe(200)
    expect(passed('192.0.2.1', 200, () => 'alice.home.test')).toBe(RATE)
  })
})

describe('RateLimiter over the rate', () => {
  const cookie = Buffer.from('000a00081122334455667788', 'hex')

  it('sends one in `slip`, at random', () => {
    for (const [slip, chance, sent] of [
      [2, 0.4, true],
      [2, 0.6, false],
      [1, 0.99, true],
      [0, 0, false],
    ] as const) {
      const { ask, passed, table } = limiting({ slip }, chance)
      passed('192.0.2.1', RATE, () => 'alice.home.test')
      expect(ask('192.0.2.1', 'alice.home.test').length > 0).toBe(sent)
      expect(limitedCounts(table)).toEqual({ slipped: Number(sent), dropped: Number(!sent) })
    }
  })

  it.each([
    ['no EDNS', undefined],
    ['EDNS', { flags: 0x8000 }],
    ['a client that has a cookie', { options: cookie }],
  ])('with %s: the question, TC and OPT, no longer than the query', (_what, edns) => {
    const { ask, passed } = limiting({ slip: 1 })
    passed('192.0.2.1', RATE, () => 'alice.home.test')
    const options = { id: 0x4711, edns, recursionDesired: true }
    const short = read(Buffer.from(ask('192.0.2.1', 'alice.home.test', 'TXT', options)))
    const { id, flags, rcode, questions, answer, authority, additional } = short
    expect({ id, flags, rcode, questions }).toEqual({
      id: 0x4711,
      flags: 'qr tc rd',
      rcode: 'NOERROR',
      questions: 1,
    })
    expect([answer, authority, additional]).toEqual([[], [], []])
    expect(short.opt !== undefined).toBe(edns !== undefined)
    const { octets: whole } = send(requestOctets('alice.home.test', 'TXT', options)) ?? {}
    const opt = short.octets.subarray(12 + 17 + 4)
    expect(whole?.subarray(-opt.length || whole.length)).toEqual(opt)
  })

  it('shortens NXDOMAIN without its RCODE', () => {
    const { ask, passed } = limiting({ slip: 1 })
    passed('192.0.2.1', RATE, (turn) => `no${turn}.home.test`)
    const octets = ask('192.0.2.1', 'nobody.home.test', 'A', { edns: {} })
    const { flags, rcode } = read(Buffer.from(octets))
    expect([flags, rcode, octets.length]).toEqual(['qr tc', 'NOERROR', 12 + 18 + 4 + 11])
  })

  it('leaves errors unchanged', () => {
    const { ask, passed } = limiting({ slip: 1 })
    passed('192.0.2.1', RATE, () => 'alice.elsewhere.test')
    const { flags, rcode } = read(Buffer.from(ask('192.0.2.1', 'bob.elsewhere.test')))
    expect([flags, rcode]).toEqual(['qr', 'REFUSED'])
  })
})

describe('the table of RateLimiter', () => {
  /** Octets of an answer about any name, made without a server. */
  const template = requestOctets('n00000000.home.test', 'A', { edns: {} })
  template[2] = 0x84
  template[7] = 1
  const opt = optOctets({})
  const record = Buffer.from('c00c00010001000000000004c0000201', 'hex')
  const answer = Buffer.concat([template.subarray(0, -opt.length), record, opt])

  it('does not grow, and a flood of a million names releases no limited network', () => {
    const { table, clock, ask, passed } = limiting()
    const { byteLength } = table
    const sources = { now: () => clock.microseconds, chance: () => 0.99 }
    const another = new RateLimiter(table, DEFAULT_RATE_LIMIT, sources)
    passed('192.0.2.1', 200, () => 'alice.home.test')
    for (let name = 0; name < 1_000_000; name++) {
      answer.writeUInt32LE((name * 2_654_435_761) % 2 ** 32, NAME_STARTS + 2)
      another.limit('198.51.100.1', answer, answer.length, 0)
    }
    expect(ask('192.0.2.1', 'alice.home.test')).toHaveLength(0)
    expect(table.byteLength).toBe(byteLength)
  })

  it('counts the answers of several threads together', () => {
    const table = createRateLimitTable()
    const sources = { now: () => 0, chance: () => 0.99 }
    const threads = [1, 2, 3].map(() => new RateLimiter(table, DEFAULT_RATE_LIMIT, sources))
    const octets = send(requestOctets('alice.home.test', 'A'))?.octets ?? Buffer.alloc(0)
    let full = 0
    for (let turn = 0; turn < 99; turn++) {
      if (threads[turn % 3]?.limit('192.0.2.1', octets, octets.length, 0)) full++
    }
    expect(full).toBe(RATE)
    expect(limitedCounts(table)).toEqual({ slipped: 0, dropped: 99 - RATE })
  })

  it('limits correctly when the clocks of threads differ slightly', () => {
    const table = createRateLimitTable()
    let microseconds = 0
    const threads = [0, 40_000, -600_000].map((ahead) => {
      const sources = { now: () => microseconds + ahead, chance: () => 0.99 }
      return new RateLimiter(table, DEFAULT_RATE_LIMIT, sources)
    })
    const octets = send(requestOctets('alice.home.test', 'A'))?.octets ?? Buffer.alloc(0)
    let full = 0
    for (let turn = 0; turn < 3000; turn++) {
      microseconds += 5_000
      if (threads[turn % 3]?.limit('192.0.2.1', octets, octets.length, 0)) full++
    }
    // Fifteen seconds at two hundred per second.
    expect(full).toBeLessThanOrEqual(2 * RATE)
  })

  it('treats an address as octets like the same one in words', () => {
    const table = createRateLimitTable()
    const sources = { now: () => 0, chance: () => 0.99 }
    const limiter = new RateLimiter(table, DEFAULT_RATE_LIMIT, sources)
    const octets = send(requestOctets('alice.home.test', 'A'))?.octets ?? Buffer.alloc(0)
    const bytes = octets.length
    for (let turn = 0; turn < RATE; turn++) limiter.limit('192.0.2.1', octets, bytes, 0)
    const source = Buffer.from([0, 0, 192, 0, 2, 77])
    expect(limiter.limitClient(clientAt(source, 2, 4), octets, bytes, 0)).toBe(0)
    expect(limiter.limitClient(clientAt(Buffer.alloc(16), 0, 16), octets, bytes, 0)).toBe(bytes)
  })
})
