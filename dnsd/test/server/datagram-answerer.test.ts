/* The processing of a datagram on a worker: the path that answers it, the counters, and the effect of a fault. */
import { describe, expect, it } from 'vitest'
import { ANSWER_LIMIT_BYTES, HotPath, OUTCOME } from '../../src/hot-path/index.ts'
import { TYPE } from '../../src/names/index.ts'
import { createResponder, SharedCounters } from '../../src/server/index.ts'
import {
  HotAnswerer,
  type HotAnswererParts,
  type Sender,
} from '../../src/server/datagram-answerer.ts'
import { read } from '../support/ask.ts'
import { SILENT_EVENTS } from '../support/events.ts'
import { requestOctets } from '../support/request-octets.ts'
import { zoneFromText, zonesOf } from '../support/zone-text.ts'

const SENDER: Sender = {
  address: '192.0.2.1',
  readTo: (client) => client.readText('192.0.2.1'),
}
const SENDER_WORD = 0xc0000201 | 0

function answererWith(change: (parts: HotAnswererParts) => Partial<HotAnswererParts>) {
  const zone = zoneFromText(
    'home.test.',
    'alice 60 A 192.0.2.1\n*.any 60 A 192.0.2.2\nmail 60 MX 1 alice',
  )
  const counters = new SharedCounters(1)
  const row = counters.row(0)
  const faults: unknown[] = []
  const reader = zone.table
  const events = { ...SILENT_EVENTS, answered: row.answered.bind(row) }
  const parts: HotAnswererParts = {
    reader,
    hot: new HotPath(reader),
    counters: row,
    respond: createResponder(zonesOf(zone), events),
    failed: (error) => faults.push(error),
  }
  const answerer = new HotAnswerer({ ...parts, ...change(parts) })
  const ask = (name: string, type: string, options = {}) => {
    const packet = requestOctets(`${name}.home.test`, type, options)
    const out = new Uint8Array(ANSWER_LIMIT_BYTES)
    answerer.begin()
    const bytes = answerer.answer(packet, packet.length, SENDER, out)
    answerer.end()
    return bytes === 0 ? undefined : read(Buffer.from(out.subarray(0, bytes)))
  }
  const counted = () => [...counters.answers()].map(({ type, count }) => `${type} ${count}`)
  return { ask, faults, counters, counted, zone }
}

describe('HotAnswerer', () => {
  it('counts each answer once, on either path', () => {
    const { ask, counters, counted } = answererWith(() => ({}))
    expect(ask('alice', 'A')?.answer).toHaveLength(1)
    expect(ask('mail', 'MX')?.answer).toHaveLength(1)
    expect(counted()).toEqual(['A 1', 'MX 1'])
    expect(counters.hot).toBe(1)
  })

  it('lets the limiter shorten or drop answers of the hot path', () => {
    const invented: number[] = []
    let left: number | undefined
    const { ask, counters, counted } = answererWith(() => ({
      limiter: {
        limitClient(client, _answer, bytes, inventedOctets) {
          expect(client.words[0]).toBe(SENDER_WORD)
          invented.push(inventedOctets)
          return left ?? bytes
        },
      },
    }))
    ask('alice', 'A')
    ask('made.up.any', 'A')
    ask('nobody', 'A')
    expect(invented).toEqual([0, '4made2up'.length, 0])
    left = 0
    expect(ask('alice', 'A')).toBeUndefined()
    expect([counted(), counters.truncated('udp')]).toEqual([['A 2', 'A 1'], 0])
  })

  it('counts answers of both paths by zone and entry of the name', () => {
    const heard: [number, number][] = []
    const outcomes: [number, number][] = []
    const { ask, zone } = answererWith(({ hot }) => ({
      queries: {
        foresee: () => undefined,
        count: (client, qtype, outcome) => {
          expect(client.words[0]).toBe(SENDER_WORD)
          heard.push([hot.zone, hot.owner])
          outcomes.push([qtype, outcome])
        },
      },
    }))
    ask('alice', 'A')
    ask('ALICE', 'A', { edns: { options: Buffer.from([0, 3, 0, 0]) } })
    ask('mail', 'MX')
    ask('nobody', 'A')
    const [alice, again, mail, nobody] = heard
    expect(heard.map(([number]) => number)).toEqual(heard.map(() => zone.number))
    expect(alice).toEqual(again)
    expect([alice?.[1], mail?.[1]].every((owner) => owner !== undefined && owner > 0)).toBe(true)
    expect([mail?.[1] === alice?.[1], nobody?.[1]]).toEqual([false, 0])
    // An unknown version of EDNS, and answers without data of each path.
    ask('alice', 'A', { edns: { version: 1 } })
    ask('alice', 'TXT')
    ask('alice', 'DS')
    expect(outcomes).toEqual([
      [TYPE.A, OUTCOME.DATA],
      [TYPE.A, OUTCOME.DATA],
      [TYPE.MX, OUTCOME.DATA],
      [TYPE.A, OUTCOME.NXDOMAIN],
      [TYPE.A, OUTCOME.OTHER],
      [TYPE.TXT, OUTCOME.NODATA],
      [TYPE.DS, OUTCOME.NODATA],
    ])
  })

  it('answers with the pipeline after a fault of the hot path', () => {
    const { ask, faults, counters } = answererWith(({ hot }) => ({
      hot: Object.assign(hot, {
        answer() {
          throw new Error('a fault')
        },
      }),
    }))
    expect(ask('alice', 'A')?.answer).toHaveLength(1)
    expect([faults.length, counters.hot]).toEqual([1, 0])
  })

  it('sends nothing after a fault of both, and continues', () => {
    let isBroken = true
    const { ask, faults } = answererWith(({ respond }) => ({
      respond: (...request) => (isBroken ? Buffer.alloc(5000) : respond(...request)),
    }))
    expect(ask('mail', 'MX')).toBeUndefined()
    isBroken = false
    expect(ask('mail', 'MX')?.answer).toHaveLength(1)
    expect(faults).toEqual([expect.any(RangeError)])
  })
})
