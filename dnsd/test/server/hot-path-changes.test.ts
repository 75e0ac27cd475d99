/* The hot path while names and zone cuts come and go. */
import { describe, expect, it } from 'vitest'
import { TYPE } from '../../src/names/index.ts'
import { answerHot, serverOf, SOA } from '../support/hot-answers.ts'
import { requestOctets } from '../support/request-octets.ts'
import { below, CHILD, ORIGIN as apex } from '../support/varied-zones.ts'

describe('added and removed names', () => {
  it('leave only missing names to the pipeline, which can wait', () => {
    const server = serverOf({ home: SOA, child: SOA })
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

  it('are marked during the change, in a served zone', () => {
    const server = serverOf({ home: SOA, child: SOA })
    const { changes } = server.table.control
    const owner = below([Buffer.from('a')], apex)
    const rrsets = [{ type: TYPE.A, ttlSeconds: 1, rdata: [Buffer.alloc(4)] }]
    server.apply(server.home, [{ owner, rrsets }])
    expect(server.table.control.changes).toBe(changes + 2)
    // The name exists before and after this change.
    server.apply(server.home, [{ owner, rrsets: [] }])
    expect(server.table.control.changes).toBe(changes + 2)
    server.apply(server.home, [{ owner, rrsets: null }])
    expect(server.table.control.changes).toBe(changes + 4)
    expect(server.table.control.isQuiet(changes + 4)).toBe(true)
  })
})

describe('added and removed cuts', () => {
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
    'never let glue be answered with authority, in either order: %#',
    (...set) => {
      const server = serverOf({ home: SOA, child: SOA })
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
      // And removes them.
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

  it('are visible to a reader that read the apex before', () => {
    const { home, hot, table } = serverOf({ home: SOA, child: SOA })
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

  it('leave existing names to the hot path in a zone without cuts', () => {
    const { home, child, hot, table, apply } = serverOf({ home: SOA, child: SOA })
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
