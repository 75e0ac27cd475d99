import { describe, expect, it } from 'vitest'
import { TYPE } from '../names/index.ts'
import type { Answered } from './events.ts'
import { LATENCY_BOUNDS_SECONDS, latencyBucket } from './latency.ts'
import { SharedCounters } from './shared-counters.ts'

const answered: Answered = {
  transport: 'udp',
  qtype: TYPE.A,
  rcode: 'NOERROR',
  octets: 100,
  truncated: false,
}

describe('SharedCounters', () => {
  it('adds up the counts of threads, by transport, RCODE and type', () => {
    const counters = new SharedCounters(3)
    // Another thread has only the memory.
    const first = new SharedCounters(counters.memory).row(1)
    const second = new SharedCounters(counters.memory).row(2)
    first.answered(answered)
    first.answered({ ...answered, transport: 'tcp', octets: 3 })
    first.answered({ ...answered, rcode: 'NXDOMAIN', qtype: TYPE.ANY })
    first.answered({ ...answered, qtype: 4711, truncated: true })
    second.answered({ ...answered, qtype: 4712 })
    second.answered({ ...answered, rcode: 'FORMERR', qtype: undefined })
    second.answeredHot(TYPE.A, 0, 50, false)
    second.answeredHot(TYPE.CAA, 3, 50, true)
    const lines = [...counters.answers()].map(({ transport, rcode, type, count }) =>
      [transport, rcode, type, count].join(' '),
    )
    expect(lines.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'tcp NOERROR A 1',
      'udp FORMERR other 1',
      'udp NOERROR A 2',
      'udp NOERROR other 2',
      'udp NXDOMAIN ANY 1',
      'udp NXDOMAIN CAA 1',
    ])
    expect([counters.octets('udp'), counters.octets('tcp')]).toEqual([600, 3])
    expect([counters.truncated('udp'), counters.truncated('tcp')]).toEqual([2, 0])
    expect(counters.hot).toBe(2)
  })

  it('counts drops by reason, beyond what 32 bits hold', () => {
    const counters = new SharedCounters(2)
    counters.row(0).dropped('unsent')
    counters.row(1).dropped('unsent')
    counters.row(1).dropped('fault')
    const seen = ['unsent', 'fault', 'no-request'] as const
    expect(seen.map((reason) => counters.dropped(reason))).toEqual([2, 1, 0])
    const row = counters.row(1)
    for (let index = 0; index < 5; index++) row.answered({ ...answered, octets: 2 ** 31 })
    expect(counters.octets('udp')).toBe(5 * 2 ** 31)
  })

  it('keeps the times of answers in buckets', () => {
    const counters = new SharedCounters(2)
    counters.row(0).took(0.02, 8)
    counters.row(1).took(5000)
    const { counts, sumSeconds } = counters.latency
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(9)
    expect([counts[latencyBucket(0.02)], counts.at(-1)]).toEqual([8, 1])
    expect(sumSeconds).toBeCloseTo(5.000_16)
  })
})

describe('latencyBucket', () => {
  it('is the first bucket whose bound a time does not exceed', () => {
    for (const [index, bound] of LATENCY_BOUNDS_SECONDS.entries()) {
      expect(latencyBucket(bound * 1000)).toBe(index)
      expect(latencyBucket(bound * 1010)).toBe(index + 1)
    }
    expect([latencyBucket(0), latencyBucket(-1), latencyBucket(Number.NaN)]).toEqual([0, 0, 0])
    expect(latencyBucket(1e9)).toBe(LATENCY_BOUNDS_SECONDS.length)
  })
})
