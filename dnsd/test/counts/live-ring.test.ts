import { describe, expect, it } from 'vitest'
import { requestOctets } from '../support/request-octets.ts'
import { zoneFromText, zonesOf } from '../support/zone-text.ts'
import { ANSWER_LIMIT_BYTES, HotPath } from '../../src/hot-path/index.ts'
import { typeFromText } from '../../src/names/index.ts'
import { createCountTable } from '../../src/query-counts/count-table.ts'
import { changeHalf } from '../../src/query-counts/count-halves.ts'
import { createLiveMemory, LiveRing } from '../../src/query-counts/live-ring.ts'
import { QueryCounter } from '../../src/query-counts/query-counter.ts'

/** A counting thread, and the main thread's end of its ring. */
function thread() {
  const zone = zoneFromText(
    'home.test.',
    'a 60 A 192.0.2.1\nb 60 A 192.0.2.2\n*.w.b 60 A 192.0.2.3',
  )
  zonesOf(zone)
  const reader = zone.table
  const hot = new HotPath(reader)
  const table = createCountTable('udp')
  const memory = createLiveMemory()
  const live = new LiveRing(memory)
  const counter = new QueryCounter({ table, reader, hot, seed: 7, live })
  const out = new Uint8Array(ANSWER_LIMIT_BYTES)
  const ask = (name: string, type = 'A', words = Int32Array.of(0x7f000001, 0, 0, 0)) => {
    const packet = requestOctets(name, type)
    expect(hot.answer(packet, packet.length, out)).toBeGreaterThan(0)
    counter.count({ family: words[1] === 0 ? 4 : 6, words }, typeFromText(type), hot.outcome)
  }
  const ring = new LiveRing(memory)
  return { ask, ring, table, watch: (...names: string[]) => ring.watch(names, table, reader) }
}

describe('LiveRing', () => {
  it('has queries for watched names and names below them, with networks and not addresses', () => {
    const { ask, ring, watch } = thread()
    ask('b.home.test')
    watch('B.home.test')
    ask('a.home.test')
    ask('b.home.test', 'TXT')
    ask('X.y.W.b.home.test', 'A', Int32Array.of(0x20010db8, 0x00010002, 3, 4))
    ask('missing.b.home.test')
    ask('missing.home.test')
    const common = { zone: 'home.test', atMs: expect.closeTo(Date.now(), -4) as number }
    const ipv4 = { ...common, network: '127.0.0.0/24' }
    expect(ring.take(1)).toEqual([
      { ...ipv4, name: 'b.home.test', qname: 'b.home.test', type: 'TXT', rcode: 'NODATA' },
      {
        ...common,
        network: '2001:db8:1::/48',
        name: '*.w.b.home.test',
        qname: 'x.y.w.b.home.test',
        type: 'A',
        rcode: 'NOERROR',
      },
      { ...ipv4, name: 'b.home.test', qname: 'missing.b.home.test', type: 'A', rcode: 'NXDOMAIN' },
    ])
    expect(ring.size).toBe(0)
  })

  it('keeps nothing while nobody watches, also across a swap of the halves', () => {
    const { ask, ring, watch, table } = thread()
    watch('a.home.test')
    changeHalf(table)
    ask('a.home.test')
    expect(ring.size).toBe(1)
    watch()
    ask('a.home.test')
    changeHalf(table)
    ask('a.home.test')
    expect(ring.size).toBe(1)
  })

  it('has a fixed size and counts what did not fit; a reader may take a part', () => {
    const { ask, ring, watch } = thread()
    watch('home.test')
    for (let n = 0; n < 2_100; n++) ask(`n${n}.a.home.test`)
    expect([ring.size, ring.takeMissed(), ring.takeMissed()]).toEqual([2_048, 52, 0])
    const some = ring.take(20).map(({ qname }) => qname)
    expect(some).toHaveLength(103)
    expect(some.slice(0, 2)).toEqual(['n0.a.home.test', 'n20.a.home.test'])
    ask('b.home.test')
    expect(ring.take(1).map(({ qname }) => qname)).toEqual(['b.home.test'])
  })
})
