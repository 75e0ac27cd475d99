import { describe, expect, it } from 'vitest'
import { ConnectionTable } from './connection-table.ts'

const evicted: string[] = []
const connection = (name: string, network = name) => ({
  network,
  evict() {
    evicted.push(name)
  },
})

function tableOf(maxConnections: number, maxPerNetwork: number, maxHeldBytes = 1000) {
  evicted.length = 0
  const limits = { maxConnections, maxPerNetwork, maxHeldBytes }
  return new ConnectionTable<ReturnType<typeof connection>>(limits)
}

describe('ConnectionTable', () => {
  it('evicts the connection that was served longest ago', () => {
    const table = tableOf(3, 3)
    const [a, b, c] = [connection('a'), connection('b'), connection('c')]
    for (const one of [a, b, c]) table.add(one)
    table.served(a)
    table.add(connection('d'))
    table.add(connection('e'))
    expect(evicted).toEqual(['b', 'c'])
    expect(table.size).toBe(3)
  })

  it('evicts within a network that has too many, and not in others', () => {
    const table = tableOf(100, 2)
    table.add(connection('old', 'quiet'))
    for (const name of ['a', 'b', 'c', 'd']) table.add(connection(name, 'crowd'))
    expect(evicted).toEqual(['a', 'b'])
    expect(table.size).toBe(3)
  })

  it('forgets closed connections', () => {
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

  it('evicts a different one each time, even while the last is still closing', () => {
    const table = tableOf(2, 2)
    for (const name of ['a', 'b', 'c', 'd']) table.add(connection(name))
    expect(evicted).toEqual(['a', 'b'])
  })

  it('evicts those that hold too much together, the one that was served longest ago first', () => {
    const table = tableOf(10, 10, 100)
    const [idle, a, b, c] = [connection('idle'), connection('a'), connection('b'), connection('c')]
    for (const one of [idle, a, b, c]) table.add(one)
    table.holds(a, 40)
    table.holds(b, 40)
    table.holds(a, 60)
    expect(evicted).toEqual([])
    table.served(a)
    table.holds(c, 40)
    expect(evicted).toEqual(['b'])
    table.holds(c, 90)
    expect(evicted).toEqual(['b', 'a'])
    table.holds(c, 0)
    table.holds(idle, 100)
    expect(evicted).toEqual(['b', 'a'])
    table.holds(idle, 101)
    expect(evicted).toEqual(['b', 'a', 'idle'])
    expect(table.size).toBe(1)
  })

  it('does not count the memory of a closed connection', () => {
    const table = tableOf(10, 10, 100)
    const [a, b] = [connection('a'), connection('b')]
    table.add(a)
    table.add(b)
    table.holds(a, 100)
    table.delete(a)
    table.holds(a, 100)
    table.holds(b, 100)
    expect(evicted).toEqual([])
  })

  it('takes other limits while it is full', () => {
    const table = tableOf(4, 4)
    for (const name of ['a', 'b', 'c', 'd']) table.add(connection(name))
    expect(table.load).toBe(1)
    table.configure({ maxConnections: 8, maxPerNetwork: 8, maxHeldBytes: 1 })
    expect(table.load).toBe(0.5)
    table.add(connection('e'))
    expect(evicted).toEqual([])
  })
})
