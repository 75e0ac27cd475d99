/*
 * The hot path against the full pipeline: whatever it answers is byte for byte what the pipeline gives,
 * over zones and questions that are made to meet every bend of the way.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANSWER_LIMIT_BYTES, HotPath } from '../../src/hot-path/index.ts'
import { TYPE } from '../../src/names/index.ts'
import { createResponder } from '../../src/server/index.ts'
import { ZoneTable } from '../../src/table/index.ts'
import {
  type OwnerState,
  OwnerStateError,
  type SoaParameters,
  Zone,
  Zones,
} from '../../src/zone/index.ts'
import { SILENT_EVENTS } from '../support/events.ts'
import { requestOctets } from '../support/request-octets.ts'
import { below, CHILD, contents, ORIGIN, packetsOf, question } from '../support/varied-zones.ts'

/**
 * Zones in one table, the hot path over it as another thread has it, and the pipeline.
 *
 * @param incomplete whether each of the zones has lost something
 */
function serverOf(
  soas: { readonly home: SoaParameters; readonly child: SoaParameters },
  incomplete = { home: false, child: false },
) {
  const table = new ZoneTable()
  const zones = new Zones(table)
  const version = (serial: bigint) => ({ serial, feedId: 'feed', token: String(serial) })
  const home = new Zone(ORIGIN, version(1n), soas.home, table)
  const child = new Zone(CHILD, version(1n), soas.child, table)
  if (incomplete.home) home.markIncomplete()
  if (incomplete.child) child.markIncomplete()
  zones.set(home)
  zones.set(child)
  const respond = createResponder(zones, SILENT_EVENTS)
  const hot = new HotPath(table.reader)
  const apply = (zone: Zone, states: readonly OwnerState[]) => {
    for (const state of states) {
      try {
        zone.apply([state], version(zone.version.serial + 1n))
      } catch (error) {
        // An alias at the apex, say: the zone is as it was.
        if (!(error instanceof OwnerStateError)) throw error
      }
    }
  }
  return { table, home, child, respond, hot, apply }
}

const OUTSIDE = 0xee

/** As in a buffer that is used again and again: other octets before the packet and behind it. */
function inUsedRoom(packet: Buffer): Uint8Array {
  const room = new Uint8Array(packet.length + 600).fill(3)
  room.set(packet, 300)
  return room.subarray(300)
}

/**
 * What the hot path gives; undefined where it leaves the packet to others.
 *
 * @param slot of the packet, if it was foreseen
 */
function answerHot(hot: HotPath, packet: Buffer, slot?: number): Buffer | undefined {
  const out = new Uint8Array(ANSWER_LIMIT_BYTES + 8).fill(OUTSIDE)
  const bytes = hot.answer(inUsedRoom(packet), packet.length, out.subarray(4, -4), slot)
  const rim = [...out.subarray(0, 4), ...out.subarray(-4)]
  expect(rim.every((octet) => octet === OUTSIDE)).toBe(true)
  return bytes === 0 ? undefined : Buffer.from(out.subarray(4, 4 + bytes))
}

const SERVFAIL = 2
const NXDOMAIN = 3
const seldom = fc.constantFrom(false, false, false, true)
const rcodeOf = (answer: Buffer) => answer.readUInt16BE(2) & 0xf

describe('HotPath', () => {
  it('answers what the pipeline answers, octet for octet, or leaves it', () => {
    const seen = {
      data: 0,
      wildcard: 0,
      nodata: 0,
      'wildcard-nodata': 0,
      nxdomain: 0,
      // Not in a zone that has lost something: SERVFAIL of the pipeline.
      unknown: 0,
      left: 0,
    }
    const property = fc.property(
      contents(ORIGIN),
      contents(CHILD),
      fc.array(question, { minLength: 8, maxLength: 16 }),
      fc.record({ home: seldom, child: seldom }),
      (home, child, questions, incomplete) => {
        const server = serverOf({ home: home.soa, child: child.soa }, incomplete)
        for (const [turn, states] of home.versions.entries()) {
          server.apply(server.home, states)
          server.apply(server.child, child.versions[turn] ?? [])
          for (const packet of packetsOf(questions, states)) {
            const answer = answerHot(server.hot, packet)
            const expected = server.respond(packet, 'udp')
            if (expected !== undefined && rcodeOf(expected) === SERVFAIL) seen.unknown += 1
            seen[answer === undefined ? 'left' : kindOf(server.hot, answer)] += 1
            if (answer === undefined) continue
            expect(answer.toString('hex')).toBe(expected?.toString('hex'))
          }
        }
      },
    )
    fc.assert(property, { seed: 1034, numRuns: 800 })
    // All of it came up, and often.
    expect(Object.entries(seen).filter(([, count]) => count < 300)).toEqual([])
  })
})

const apex = ORIGIN
const soa = {
  mname: apex,
  rname: apex,
  refreshSeconds: 1,
  retrySeconds: 1,
  expireSeconds: 1,
  minimumSeconds: 1,
  ttlSeconds: 1,
}

describe('a batch', () => {
  it('is answered as its packets would be one by one, however many there are', () => {
    const property = fc.property(
      contents(ORIGIN),
      fc.array(question, { minLength: 1, maxLength: 30 }),
      (home, questions) => {
        const server = serverOf({ home: home.soa, child: home.soa })
        const alone = new HotPath(server.table.reader)
        for (const states of home.versions) {
          server.apply(server.home, states)
          const packets = packetsOf(questions, states)
          const rooms = packets.map(inUsedRoom)
          const octetsOf = (slot: number) => packets[slot]?.length ?? 0
          server.hot.foresee({ packets: rooms, octetsOf }, packets.length)
          for (const [slot, packet] of packets.entries()) {
            const answer = answerHot(server.hot, packet, slot)
            expect(answer?.toString('hex')).toBe(answerHot(alone, packet)?.toString('hex'))
            expect(server.hot.inventedOctets).toBe(alone.inventedOctets)
          }
          server.hot.forget()
        }
      },
    )
    fc.assert(property, { seed: 1035, numRuns: 150 })
  })
})

describe('names that come and go', () => {
  it('leave what is missing to the pipeline, which can wait, and nothing else', () => {
    const server = serverOf({ home: soa, child: soa })
    const here = below([Buffer.from('here')], apex)
    const missing = below([Buffer.from('missing')], apex)
    const rrsets = [{ type: TYPE.A, ttlSeconds: 1, rdata: [Buffer.alloc(4)] }]
    server.apply(server.home, [{ owner: here, rrsets }])
    const { hot, table } = server
    const hotAnswers = () =>
      [
        requestOctets(here, TYPE.A),
        requestOctets(here, TYPE.TXT),
        requestOctets(missing, TYPE.A),
      ].map((packet) => answerHot(hot, packet) !== undefined)
    expect(hotAnswers()).toEqual([true, true, true])
    table.control.beginChange()
    expect(hotAnswers()).toEqual([true, false, false])
    table.control.endChange()
    expect(hotAnswers()).toEqual([true, true, true])
  })

  it('are marked while they do, in a zone that is served', () => {
    const server = serverOf({ home: soa, child: soa })
    const { changes } = server.table.control
    const owner = below([Buffer.from('a')], apex)
    const rrsets = [{ type: TYPE.A, ttlSeconds: 1, rdata: [Buffer.alloc(4)] }]
    server.apply(server.home, [{ owner, rrsets }])
    expect(server.table.control.changes).toBe(changes + 2)
    // In one state or the other it is always there.
    server.apply(server.home, [{ owner, rrsets: [] }])
    expect(server.table.control.changes).toBe(changes + 2)
    server.apply(server.home, [{ owner, rrsets: null }])
    expect(server.table.control.changes).toBe(changes + 4)
    expect(server.table.control.isQuiet(changes + 4)).toBe(true)
  })
})

describe('cuts that come and go', () => {
  const cut = below([Buffer.from('sub')], apex)
  const glue = below([Buffer.from('host'), Buffer.from('sub')], apex)
  const ns = [{ type: TYPE.NS, ttlSeconds: 1, rdata: [glue] }]
  const a = (last: number) => [{ type: TYPE.A, ttlSeconds: 1, rdata: [Buffer.of(192, 0, 2, last)] }]
  const packet = requestOctets(glue, TYPE.A)
  const states = [
    { owner: glue, rrsets: a(1) },
    { owner: cut, rrsets: ns },
  ]

  it.each([states, states.toReversed()])(
    'never let glue be found with authority, whichever comes first: %#',
    (...set) => {
      const server = serverOf({ home: soa, child: soa })
      const { table, home, hot } = server
      let looks = 0
      const look = () => {
        looks += 1
        expect(answerHot(hot, packet)).toBeUndefined()
      }
      const insert = table.insert.bind(table)
      table.insert = (...all) => {
        look()
        const ref = insert(...all)
        look()
        return ref
      }
      const linkInPlace = table.linkInPlace.bind(table)
      table.linkInPlace = (...all) => {
        linkInPlace(...all)
        look()
      }
      home.apply(set, { ...home.version, serial: 2n })
      // And go.
      home.apply(
        [
          { owner: cut, rrsets: null },
          { owner: glue, rrsets: null },
        ],
        { ...home.version, serial: 3n },
      )
      expect(looks).toBeGreaterThan(6)
    },
  )

  it('are seen by who read the apex before', () => {
    const { home, hot, table } = serverOf({ home: soa, child: soa })
    const find = table.reader.find.bind(table.reader)
    let isDone = false
    table.reader.find = (...all) => {
      const ref = find(...all)
      if (!isDone) {
        isDone = true
        home.apply(states, { ...home.version, serial: 2n })
      }
      return ref
    }
    expect(answerHot(hot, packet)).toBeUndefined()
    expect(isDone).toBe(true)
  })

  it('leave what is there to the hot path in a zone that has none', () => {
    const { home, child, hot, table, apply } = serverOf({ home: soa, child: soa })
    apply(home, states)
    const here = below([Buffer.from('here')], CHILD)
    const there = below([Buffer.from('there')], apex)
    apply(child, [{ owner: here, rrsets: a(1) }])
    apply(home, [{ owner: there, rrsets: a(1) }])
    const answered = () =>
      [here, there].map((name) => answerHot(hot, requestOctets(name, TYPE.A)) !== undefined)
    expect(answered()).toEqual([true, true])
    table.control.beginChange()
    expect(answered()).toEqual([true, false])
    table.control.endChange()
    expect(answered()).toEqual([true, true])
  })
})

describe('the size of an answer', () => {
  const edns = [undefined, ...[512, 600, 1232, 4096].map((payloadBytes) => ({ payloadBytes }))]

  it.each(edns)('may be what the client and this server take, to the octet, with OPT %j', (opt) => {
    const server = serverOf({ home: soa, child: soa })
    const owner = below([Buffer.from('a'), Buffer.from('b')], apex)
    const whole: number[] = []
    let cut = 0
    for (let octets = 400; octets < 1250; octets++) {
      const rdata = Buffer.alloc(octets)
      server.apply(server.home, [
        { owner, rrsets: [{ type: TYPE.TXT, ttlSeconds: 1, rdata: [rdata] }] },
      ])
      const packet = requestOctets(owner, TYPE.TXT, { edns: opt })
      const expected = server.respond(packet, 'udp') ?? Buffer.alloc(0)
      const isCut = (expected.readUInt16BE(2) & 0x0200) !== 0
      const answer = answerHot(server.hot, packet)
      if (isCut) cut += 1
      else whole.push(expected.length)
      expect(answer?.toString('hex')).toBe(isCut ? undefined : expected.toString('hex'))
    }
    expect(Math.max(...whole)).toBe(Math.min(opt?.payloadBytes ?? 512, 1232))
    expect(cut).toBeGreaterThan(0)
  })
})

function kindOf(hot: HotPath, answer: Buffer) {
  if (rcodeOf(answer) === NXDOMAIN) return 'nxdomain'
  const hasData = answer.readUInt16BE(6) > 0
  if (hot.inventedOctets > 0) return hasData ? 'wildcard' : 'wildcard-nodata'
  return hasData ? 'data' : 'nodata'
}
