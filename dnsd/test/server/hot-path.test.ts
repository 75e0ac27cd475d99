/*
 * Compares the hot path with the full pipeline over random zones and questions: each answer of the hot path must equal
 * the answer of the pipeline, byte for byte.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HotPath } from '../../src/hot-path/index.ts'
import { TYPE } from '../../src/names/index.ts'
import { answerHot, inUsedRoom, serverOf, SOA } from '../support/hot-answers.ts'
import { requestOctets } from '../support/request-octets.ts'
import { below, CHILD, contents, ORIGIN, packetsOf, question } from '../support/varied-zones.ts'

const SERVFAIL = 2
const NXDOMAIN = 3
const seldom = fc.constantFrom(false, false, false, true)
const rcodeOf = (answer: Buffer) => answer.readUInt16BE(2) & 0xf

describe('HotPath', () => {
  it('answers like the pipeline, octet for octet, or leaves the packet to it', () => {
    const seen = {
      data: 0,
      wildcard: 0,
      nodata: 0,
      'wildcard-nodata': 0,
      nxdomain: 0,
      // SERVFAIL of the pipeline, because the zone lost changes.
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
    // Each kind of answer occurred often.
    expect(Object.entries(seen).filter(([, count]) => count < 300)).toEqual([])
  })
})

describe('a batch', () => {
  it('is answered like its packets one by one, for any size', () => {
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

describe('the size of an answer', () => {
  const edns = [undefined, ...[512, 600, 1232, 4096].map((payloadBytes) => ({ payloadBytes }))]

  it.each(edns)(
    'can be the limit of the client and the server, to the octet, with OPT %j',
    (opt) => {
      const server = serverOf({ home: SOA, child: SOA })
      const owner = below([Buffer.from('a'), Buffer.from('b')], ORIGIN)
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
    },
  )
})

function kindOf(hot: HotPath, answer: Buffer) {
  if (rcodeOf(answer) === NXDOMAIN) return 'nxdomain'
  const hasData = answer.readUInt16BE(6) > 0
  if (hot.inventedOctets > 0) return hasData ? 'wildcard' : 'wildcard-nodata'
  return hasData ? 'data' : 'nodata'
}
