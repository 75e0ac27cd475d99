import { expect, test } from 'vitest'
import { type ChangedName, ForwardTable } from './forward-table.ts'
import { makeForward, makeNames } from './test-support.ts'

const NAME = 'home.example.net'
const forward = makeForward()
const version = (serial: bigint) => ({ serial, feedId: 'feed', token: `token ${serial}` })

function openTable(names = makeNames({ [NAME]: forward })) {
  const clock = { ms: 1_000_000 }
  const table = new ForwardTable(() => clock.ms)
  table.replace(version(1n), names)
  const change = (changed: Partial<ChangedName>) =>
    table.apply(version((table.version?.serial ?? 0n) + 1n), [
      { name: NAME, forward: null, isRemoved: true, graceSeconds: 0, ...changed },
    ])
  const pass = (seconds: number) => {
    clock.ms += seconds * 1_000
    return table.sweep()
  }
  return { table, change, pass }
}

test('a change has its effect, and its version, at once', () => {
  const { table, change } = openTable()
  const other = makeForward({ target: 'https://other.example/' })
  change({ forward: other, isRemoved: false })
  expect(table.find(NAME)).toBe(other)
  expect(table.version).toEqual(version(2n))
})

test('a forward that ended answers for its time of grace', () => {
  const { table, change, pass } = openTable()
  change({ graceSeconds: 120 })
  expect(pass(119)).toBe(0)
  expect(table.find(NAME)).toBe(forward)
  expect(pass(1)).toBe(1)
  expect(table.find(NAME)).toBeUndefined()
  expect(table.size).toBe(0)
})

test('what must stop at once stops, also during its time of grace', () => {
  const { table, change } = openTable()
  change({ graceSeconds: 120 })
  change({})
  expect(table.find(NAME)).toBeUndefined()
})

test('a forward that starts again ends the time of grace', () => {
  const { table, change, pass } = openTable()
  change({ graceSeconds: 120 })
  change({ forward, isRemoved: false })
  expect(pass(1_000)).toBe(0)
  expect(table.find(NAME)).toBe(forward)
})

test('below a wildcard, the domain of an ended forward stops the wildcard after its time of grace', () => {
  const wildcard = makeForward({ id: '8' })
  const { table, change, pass } = openTable(
    makeNames({ [NAME]: forward, '*.example.net': wildcard }),
  )
  change({ isRemoved: false, graceSeconds: 120 })
  expect(table.find(NAME)).toBe(forward)
  pass(120)
  expect(table.find(NAME)).toBeUndefined()
  expect(table.find('other.example.net')).toBe(wildcard)
})

test('a name that stopped a wildcard still stops it for its time of grace', () => {
  const wildcard = makeForward({ id: '8' })
  const { table, change, pass } = openTable(makeNames({ [NAME]: null, '*.example.net': wildcard }))
  change({ graceSeconds: 120 })
  expect(table.find(NAME)).toBeUndefined()
  pass(120)
  expect(table.find(NAME)).toBe(wildcard)
})

test('a full read keeps times of grace, and ends everything else that it does not contain', () => {
  const { table, change, pass } = openTable(
    makeNames({ [NAME]: forward, 'old.example.net': forward }),
  )
  change({ graceSeconds: 120 })
  const added = makeForward({ id: '9' })
  table.replace(version(9n), makeNames({ 'new.example.net': added }))
  expect(table.find(NAME)).toBe(forward)
  expect(table.find('old.example.net')).toBeUndefined()
  expect(table.find('new.example.net')).toBe(added)
  pass(120)
  expect(table.find(NAME)).toBeUndefined()
})
