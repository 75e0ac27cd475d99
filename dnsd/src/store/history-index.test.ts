import { describe, expect, it } from 'vitest'
import { ROOT_NAME } from '../names/index.ts'
import { HistoryIndex } from './history-index.ts'

const soa = {
  mname: Buffer.from(ROOT_NAME),
  rname: Buffer.from(ROOT_NAME),
  refreshSeconds: 1,
  retrySeconds: 1,
  expireSeconds: 1,
  minimumSeconds: 1,
  ttlSeconds: 1,
}

/** A version of a history. Versions of different histories never have the same token. */
const versionOf = (history: string, serial: number) => ({
  serial: BigInt(serial),
  feedId: 'feed',
  token: `${history} ${serial}`,
})

class Log {
  readonly index = new HistoryIndex()
  #atBytes = 0

  whole(history: string, serial: number): this {
    const version = versionOf(history, serial)
    const head = { kind: 'zone', zoneId: '1', version, soa } as const
    this.index.note(head, { generation: 1, atBytes: this.#atBytes++ })
    return this
  }

  sets(history: string, fromSerial: number, toSerial: number): this {
    for (let serial = fromSerial + 1; serial <= toSerial; serial++) {
      const { token: previousToken } = versionOf(history, serial - 1)
      const set = { version: versionOf(history, serial), previousToken }
      const head = { kind: 'change-set', zoneId: '1', set } as const
      this.index.note(head, { generation: 1, atBytes: this.#atBytes++ })
    }
    return this
  }

  knows(from: number, history: string, present: number): boolean {
    return this.index.path('1', BigInt(from), versionOf(history, present)) !== undefined
  }
}

describe('HistoryIndex', () => {
  it('knows the path from a serial at which a zone was read whole', () => {
    const log = new Log().whole('one', 10).sets('one', 10, 15)
    expect(log.knows(9, 'one', 15)).toBe(false)
    expect(log.knows(10, 'one', 15)).toBe(true)
    expect(log.knows(14, 'one', 15)).toBe(true)
    expect(log.knows(14, 'one', 16)).toBe(false)
  })

  it.each([
    ['back', 12],
    ['to the same', 15],
  ])('knows none from serials that had another meaning before a restore went %s', (_, at) => {
    const log = new Log().whole('one', 10).sets('one', 10, 15)
    log.whole('two', at).sets('two', at, 20)
    for (const serial of [12, 13, 15]) expect(log.knows(serial, 'two', 20)).toBe(false)
    expect(log.knows(16, 'two', 20)).toBe(true)
    // Also if the whole zone was not logged.
    log.sets('three', at, 30)
    expect(log.knows(20, 'three', 30)).toBe(false)
    expect(log.knows(21, 'three', 30)).toBe(true)
  })

  it('continues after a zone that was read whole at a later version', () => {
    const log = new Log().whole('one', 10).sets('one', 10, 15)
    log.whole('one', 30).sets('one', 30, 31)
    expect(log.knows(15, 'one', 31)).toBe(false)
    expect(log.knows(30, 'one', 31)).toBe(true)
  })
})
