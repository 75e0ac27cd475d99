import { describe, expect, it } from 'vitest'
import { ConnectionTable } from './connection-table.ts'

const evicted: string[] = []
const connection = (name: string, network = name) => ({
  network,
  evict() {
    evicted.push(name)
  },
})

function tableOf(maxConnections: number, maxPerNetwork: number) {
  evicted.length = 0
  return new ConnectionTable<ReturnType<typeof connection>>({ maxConnections, maxPerNetwork })
}

describe('ConnectionTable', () => {
  it('evicts the one that was served longest ago', () => {
    const table = tableOf(3, 3)
    const [a, b, c] = [connection('a'), connection('b'), connection('c')]
    for (const one of [a, b, c]) table.add(one)
    table.served(a)
    table.add(connection('d'))
    table.add(connection('e'))
    expect(evicted).toEqual(['b', 'c'])
    expect(table.size).toBe(3)
  })

  it('evicts within a network that has too many, and leaves others alone', () => {
    const table = tableOf(100, 2)
    table.add(connection('old', 'quiet'))
    for (const name of ['a', 'b', 'c', 'd']) table.add(connection(name, 'crowd'))
    expect(evicted).toEqual(['a', 'b'])
    expect(table.size).toBe(3)
  })

  it('forgets what is closed', () => {
    const table = tableOf(2, 2)
    const gone = connection('gone', 'net')
    table.add(gone)
    table.delete(gone)
    table.served(gone)
    expect(table.all()).toEqual([])
    table.add(connection('a', 'net'))
    table.add(connection('b', 'net'))
    expect(evicted).toEqual([])
  })

  it('evicts another each time, even while the last is still closing', () => {
    const table = tableOf(2, 2)
    for (const name of ['a', 'b', 'c', 'd']) table.add(connection(name))
    expect(evicted).toEqual(['a', 'b'])
  })
})
